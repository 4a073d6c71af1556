# The service as a small image: built with the project's toolchain, run without a shell and without root.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --bin ongrid && mkdir /data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /src/target/release/ongrid /usr/local/bin/ongrid
COPY --from=build --chown=nonroot:nonroot /data /data
USER nonroot
ENV ONGRID_LISTEN=0.0.0.0:8080 ONGRID_LOG_FORMAT=json ONGRID_DATA=/data
VOLUME /data
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/ongrid"]
