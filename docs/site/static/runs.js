// Runs in pages: each is drawn while it is on the screen or near it, and a picture or a link otherwise.

const seen = new IntersectionObserver((entries) => entries.forEach(show), { rootMargin: "200px" });

function show({ target, isIntersecting }) {
  const [link] = target.children, old = target.querySelector("iframe");
  if (isIntersecting && !old) {
    const frame = document.createElement("iframe");
    Object.assign(frame, { src: link.dataset.page, title: link.title });
    target.prepend(frame);
    link.hidden = true;
    target.append(link);
  } else if (!isIntersecting && old) {
    old.remove(); // browsers draw but a few pictures in 3-D at a time
    const picture = target.querySelector("[data-page]");
    picture.hidden = false;
    target.prepend(picture);
  }
}

document.querySelectorAll("figure.run").forEach((figure) => {
  seen.observe(figure);
});
