/** As much of the clients without types of their own as their tests use. */

declare module "devour-client" {
  interface Answer {
    data: any;
    meta: any;
    links: any;
  }
  interface Request {
    relationships(name: string): Request;
    all(model: string): Request;
    get(params?: object): Promise<Answer>;
    post(payload: unknown): Promise<Answer>;
    patch(payload: unknown): Promise<Answer>;
    destroy(payload?: unknown): Promise<Answer>;
  }
  export default class JsonApi {
    headers: Record<string, string>;
    constructor(options: {
      apiUrl: string;
      bearer?: string;
      logger?: boolean;
      pluralize?: false;
    });
    define(model: string, attributes: object, options?: object): void;
    one(model: string, id: string): Request;
    request(url: string): Promise<Answer>;
    find(model: string, id: string, params?: object): Promise<Answer>;
    findAll(model: string, params?: object): Promise<Answer>;
    create(model: string, payload: object): Promise<Answer>;
    update(model: string, payload: object): Promise<Answer>;
    destroy(model: string, id: string): Promise<Answer>;
  }
}

declare module "ra-jsonapi-client" {
  type Provider = (
    type: string,
    resource: string,
    params: object,
  ) => Promise<{ data: any; total?: number }>;
  const module: { default: (apiUrl: string, settings?: object) => Provider };
  export default module;
}
