/** The places of the form of a row that can be deleted already, as SQL for the feed of changes. */
export const placesOfForm = `(select array[form.cell_id, form.course_id] from forms form
  where form.account_id = gone.account_id and form.id = gone.form_id)`;
