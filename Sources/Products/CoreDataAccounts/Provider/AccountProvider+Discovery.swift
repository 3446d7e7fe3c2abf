import CoreDataTransfer
import Foundation
import FoundationNetworking

extension AccountProvider {
    /// Asks a provider for its endpoints (RFC 8414): by `/.well-known/oauth-authorization-server`, before the path of the issuer.
    ///
    /// - Parameters:
    ///   - issuer: what names the provider: a URL of `https` without query and fragment, exactly as the provider writes it.
    ///   - resources: URLs whose origins get the tokens.
    ///   - configuration: the settings of transfers, which are without redirects and cookies.
    /// - Throws: ``AccountError``: `invalidProvider` if the issuer is no such URL, if the provider names another issuer, or if
    ///   it has no PKCE by S256; `providerUnavailable`; `invalidAnswer`; `CancellationError`.
    public static func discover(
        issuer: URL, name: String, clientID: String, clientSecret: Secret? = nil, scopes: [String] = [],
        resources: [URL], configuration: TransferConfiguration = TransferConfiguration()
    ) async throws -> AccountProvider {
        let request = URLRequest(url: try metadataURL(issuer: issuer))
        let answer = try await ProviderAnswer(
            to: request, session: ProviderAnswer.session(configuration), clock: .system)
        let host = issuer.host ?? ""
        guard answer.status == 200 else {
            throw ProviderAnswer.invalid(host, "with status \(answer.status) does not describe a provider")
        }
        guard answer.text("issuer") == issuer.absoluteString else {
            throw AccountError(.invalidProvider, "\(host) describes another issuer than \(issuer.absoluteString)")
        }
        if let methods = answer.texts("code_challenge_methods_supported"), !methods.contains("S256") {
            throw AccountError(.invalidProvider, "\(host) has no proof of codes by S256 (RFC 7636)")
        }
        func url(_ field: String) -> URL? { answer.text(field).flatMap { URL(string: $0) } }
        guard let token = url("token_endpoint") else { throw ProviderAnswer.invalid(host, "has no token_endpoint") }
        var provider = try AccountProvider(
            name: name, tokenEndpoint: token, clientID: clientID, resources: resources)
        provider.issuer = issuer.absoluteString
        provider.authorizationEndpoint = url("authorization_endpoint")
        provider.deviceEndpoint = url("device_authorization_endpoint")
        provider.revocationEndpoint = url("revocation_endpoint")
        provider.namesIssuerInRedirects = answer.flag("authorization_response_iss_parameter_supported")
        provider.clientSecret = clientSecret
        let methods = answer.texts("token_endpoint_auth_methods_supported") ?? []
        if methods.contains("client_secret_post"), !methods.contains("client_secret_basic") {
            provider.clientAuthentication = .post
        }
        provider.scopes = scopes
        try provider.validate()
        return provider
    }

    static func metadataURL(issuer: URL) throws -> URL {
        let parts = URLComponents(url: issuer, resolvingAgainstBaseURL: false)
        guard var parts, Origin(secure: issuer) != nil, parts.query == nil, parts.fragment == nil else {
            throw AccountError(.invalidProvider, "an issuer is a URL of https without query and fragment")
        }
        let path = parts.percentEncodedPath
        parts.percentEncodedPath =
            "/.well-known/oauth-authorization-server" + (path.hasSuffix("/") ? String(path.dropLast()) : path)
        guard let url = parts.url else { throw AccountError(.invalidProvider, "the issuer is no valid URL") }
        return url
    }
}
