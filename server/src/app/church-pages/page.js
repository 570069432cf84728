// The pages work without this script. It finds groups near the visitor.

const form = document.getElementById("search");
const button = document.getElementById("near-me");

if (form && button && navigator.geolocation) {
  button.hidden = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(searchNear, () => {
      button.disabled = false;
      document.getElementById("near-me-status").textContent = button.dataset.failed;
    });
  });
  // A search has no parameters for what the visitor left open.
  form.addEventListener("formdata", ({ formData }) => {
    const open = [...formData].filter(([, value]) => value === "");
    for (const [name] of open) formData.delete(name);
  });
}

function searchNear({ coords }) {
  const { km, lat, lng } = form.elements;
  // About a kilometer. The service need not know more.
  lat.value = coords.latitude.toFixed(2);
  lng.value = coords.longitude.toFixed(2);
  km.value ||= "10";
  form.requestSubmit();
}
