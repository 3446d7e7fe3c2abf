/// The header fields that prevent other sites and stored values from misusing an answer.
struct ResponseSecurity: Sendable {
    private static let fields = [
        ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
                + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ]

    /// The answer with those of the fields that its page has not set.
    func protect(_ response: BrowserResponse, to request: BrowserRequest) -> BrowserResponse {
        var response = response
        for (name, value) in Self.fields where response.headers.values(of: name).isEmpty {
            response.headers.set(name, value)
        }
        return response
    }
}
