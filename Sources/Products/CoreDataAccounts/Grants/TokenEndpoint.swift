import CoreDataTransfer
import Foundation
import FoundationNetworking

/// The endpoints of a provider that take forms and answer with JSON.
struct TokenEndpoint: Sendable {
    let provider: AccountProvider
    let session: TransferSession
    let clock: AccountClock

    /// - Parameter session: one of ``ProviderAnswer/session(_:)``.
    init(_ provider: AccountProvider, session: TransferSession, clock: AccountClock) {
        (self.provider, self.session, self.clock) = (provider, session, clock)
    }

    /// Sends a form to an endpoint, with what proves the client.
    ///
    /// - Parameter needsObject: false where a success has no content.
    func post(_ form: [(String, String)], to url: URL, needsObject: Bool = true) async throws -> ProviderAnswer {
        try provider.validate()
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        var form = form
        switch (provider.clientSecret, provider.clientAuthentication) {
        case (nil, _): form.append(("client_id", provider.clientID))
        case (let secret?, .post):
            form += [("client_id", provider.clientID), ("client_secret", secret.reveal())]
        case (let secret?, .basic):
            // Both are encoded as in forms before they are joined (RFC 6749, 2.3.1).
            let pair = "\(URLText.encoded(provider.clientID)):\(URLText.encoded(secret.reveal()))"
            request.setValue("Basic \(Data(pair.utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
        }
        request.httpBody = Data(
            form.map { "\(URLText.encoded($0.0))=\(URLText.encoded($0.1))" }.joined(separator: "&").utf8)
        return try await ProviderAnswer(to: request, session: session, clock: clock, needsObject: needsObject)
    }

    /// The tokens that an answer has.
    ///
    /// - Throws: ``AccountError``: `refused` with the provider's code; `invalidAnswer` if there is no token of type `Bearer` that a
    ///   header field can have.
    func tokens(_ answer: ProviderAnswer) throws -> AccountTokens {
        let host = provider.tokenEndpoint.host ?? ""
        if let code = answer.error {
            throw AccountError(.refused(code), "\(host) refuses: \(code)")
        }
        guard let access = answer.text("access_token"), Self.isToken(access) else {
            throw ProviderAnswer.invalid(host, "has no access token")
        }
        guard answer.text("token_type")?.lowercased() == "bearer" else {
            throw ProviderAnswer.invalid(host, "has a token of a type other than Bearer")
        }
        let now = clock.now()
        let scopes = answer.text("scope")?.split(separator: " ").map(String.init)
        return AccountTokens(
            access: Secret(access), refresh: answer.text("refresh_token").map { Secret($0) },
            expiry: answer.seconds("expires_in").map { now.addingTimeInterval($0) }, receipt: now,
            scopes: scopes ?? provider.scopes)
    }

    /// Gets new tokens by a refresh token (RFC 6749, 6). What the answer leaves out stays as it was.
    func refresh(_ old: AccountTokens, with secret: Secret) async throws -> AccountTokens {
        let answer = try await post(
            [("grant_type", "refresh_token"), ("refresh_token", secret.reveal())], to: provider.tokenEndpoint)
        var new = try tokens(answer)
        if new.refresh == nil { new.refresh = old.refresh }
        if answer.text("scope") == nil { new.scopes = old.scopes }
        return new
    }

    /// RFC 6750, 2.1, with the characters that some providers use beside: printable ones of ASCII without spaces.
    private static func isToken(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
