import Foundation

/// An authorization that has begun: the address that the user opens in a browser, and what the answer to it is checked against.
///
/// The code that comes back is of use only with the proof key that stays here (RFC 7636).
public struct AuthorizationAttempt: Sendable {
    /// The address to open. It has no secret in it.
    public let url: URL
    /// Where the provider sends the browser to, or the name for codes that are shown to the user.
    public let redirect: String
    let state: Secret
    let verifier: Secret
    private let issuer: String?
    private let mustNameIssuer: Bool

    /// What the provider shows the code for, instead of a redirect.
    public static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

    /// - Throws: ``AccountError`` with `invalidProvider` if there is no authorization endpoint.
    init(_ provider: AccountProvider, redirect: String) throws {
        try provider.validate()
        guard let endpoint = provider.authorizationEndpoint,
            var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: false)
        else {
            throw AccountError(.invalidProvider, "the provider \(provider.name) has no authorization endpoint")
        }
        (state, verifier, self.redirect) = (.random(), .random(), redirect)
        (issuer, mustNameIssuer) = (provider.issuer, provider.namesIssuerInRedirects)
        guard let challenge = URLText.sha256(verifier.reveal()) else {
            throw AccountError(.invalidProvider, "OpenSSL has no digest SHA-256, which proves codes")
        }
        var form = [
            ("response_type", "code"), ("client_id", provider.clientID), ("redirect_uri", redirect),
            ("state", state.reveal()), ("code_challenge", URLText.base64(challenge)), ("code_challenge_method", "S256"),
        ]
        if !provider.scopes.isEmpty { form.append(("scope", provider.scopes.joined(separator: " "))) }
        let query = form.map { "\($0.0)=\(URLText.encoded($0.1))" }.joined(separator: "&")
        parts.percentEncodedQuery = (parts.percentEncodedQuery.map { $0.isEmpty ? "" : $0 + "&" } ?? "") + query
        guard let url = parts.url else {
            throw AccountError(.invalidProvider, "the authorization endpoint of \(provider.name) is no valid URL")
        }
        self.url = url
    }

    /// Whether a query is an answer to this attempt: it has the attempt's state, once.
    func isAnswered(by query: String) -> Bool {
        guard let parameters = URLText.parameters(query), let state = parameters["state"] else { return false }
        return Secret(state) == self.state
    }

    /// The code in a query.
    ///
    /// - Throws: ``AccountError``: `invalidCode` if the state or the issuer (RFC 9207) is not that of the attempt, or there is
    ///   no code; `accessDenied`; `refused` with the provider's code.
    func code(inQuery query: String) throws -> Secret {
        guard isAnswered(by: query), let parameters = URLText.parameters(query) else {
            throw AccountError(.invalidCode, "the answer is not of this authorization: its state is another one")
        }
        if let named = parameters["iss"] {
            guard issuer == nil || named == issuer else {
                throw AccountError(.invalidCode, "the answer is of another provider than was asked")
            }
        } else if mustNameIssuer {
            throw AccountError(.invalidCode, "the answer does not name the provider that it is of")
        }
        if let error = parameters["error"] {
            let code = String(error.filter { $0.isASCII && !$0.isNewline && $0 != "\0" }.prefix(60))
            guard code != "access_denied" else {
                throw AccountError(.accessDenied, "the account was not allowed to this program")
            }
            throw AccountError(.refused(code), "the provider refuses: \(code)")
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw AccountError(.invalidCode, "the answer has no code")
        }
        return Secret(code)
    }

    /// The code in what the user pasted: the address to which the browser was sent, whose state is checked, or the code alone,
    /// which the proof key ties to this attempt.
    ///
    /// - Throws: ``AccountError`` as ``code(inQuery:)``.
    func code(inPasted text: String) throws -> Secret {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= 8_192 else {
            throw AccountError(.invalidCode, "what was pasted is too long for a code")
        }
        if text.contains("://") || text.contains("code=") || text.contains("error=") {
            let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
            return try code(inQuery: String(query.prefix { $0 != "#" }))
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw AccountError(.invalidCode, "what was pasted is no code: it is empty or has spaces within")
        }
        return Secret(text)
    }
}
