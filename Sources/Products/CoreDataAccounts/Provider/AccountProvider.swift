import Foundation

/// A provider of accounts: a server of OAuth 2 (RFC 6749), where it is reached, and as which client.
///
/// Made in code, read from a property list or found by
/// ``discover(issuer:name:clientID:clientSecret:scopes:resources:configuration:)``. All endpoints and resources are of `https`,
/// but for those on `127.0.0.1` and `[::1]`.
public struct AccountProvider: Sendable {
    /// How a client with a secret proves that it is that client (RFC 6749, 2.3.1).
    public enum ClientAuthentication: String, Sendable, Decodable {
        /// By the header field `Authorization`.
        case basic = "client_secret_basic"
        /// By fields of the form.
        case post = "client_secret_post"
    }

    /// What the provider is called, by which accounts are stored.
    public let name: String
    /// What names the provider, if it says so in its responses (RFC 9207).
    public var issuer: String?
    /// Where the user agrees, in a browser.
    public var authorizationEndpoint: URL?
    /// Where codes and refresh tokens are exchanged for tokens.
    public let tokenEndpoint: URL
    /// Where a code for another device is asked for (RFC 8628).
    public var deviceEndpoint: URL?
    /// Where tokens are revoked (RFC 7009).
    public var revocationEndpoint: URL?
    /// Whether each redirect of the provider must name its issuer (RFC 9207).
    public var namesIssuerInRedirects = false
    /// As what the program is registered.
    public let clientID: String
    /// What the client was given to prove itself; nil for programs that people install, which can keep none.
    public var clientSecret: Secret?
    /// How the secret is sent.
    public var clientAuthentication = ClientAuthentication.basic
    /// What is asked for.
    public var scopes: [String] = []
    /// The path of the redirect on this machine, as it is registered.
    public var redirectPath = "/callback"
    /// URLs whose origins (scheme, host and port) get the tokens.
    public let resources: [URL]

    /// Makes a provider.
    ///
    /// - Throws: ``AccountError`` with `invalidProvider`; see also ``validate()``, which each use of the provider calls.
    public init(name: String, tokenEndpoint: URL, clientID: String, resources: [URL]) throws {
        (self.name, self.tokenEndpoint, self.clientID, self.resources) = (name, tokenEndpoint, clientID, resources)
        try validate()
    }

    /// Checks that endpoints and resources are of `https`, and that there is a client identifier.
    ///
    /// - Throws: ``AccountError`` with `invalidProvider` that names what is wrong.
    public func validate() throws {
        guard !clientID.isEmpty else { throw invalid("it has no client identifier") }
        let endpoints = [authorizationEndpoint, tokenEndpoint, deviceEndpoint, revocationEndpoint].compactMap { $0 }
        for url in endpoints + resources where Origin(secure: url) == nil {
            throw invalid("\(url.scheme ?? "")://\(url.host ?? "") is no place that tokens may go to; use https")
        }
        for url in endpoints where url.fragment != nil { throw invalid("an endpoint has a fragment") }
        guard redirectPath.hasPrefix("/"), redirectPath.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !redirectPath.contains(where: { "?#".contains($0) })
        else { throw invalid("the path of its redirect is not valid") }
        let areScopesValid = scopes.allSatisfy { scope in
            !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        }
        guard areScopesValid else { throw invalid("a scope is empty or has spaces or quotes") }
    }

    /// Whether the tokens may be sent to a URL.
    func allows(_ url: URL?) -> Bool {
        guard let url, let origin = Origin(secure: url) else { return false }
        return resources.contains { Origin(secure: $0) == origin }
    }

    private func invalid(_ reason: String) -> AccountError {
        AccountError(.invalidProvider, "the provider \(name) cannot be used: \(reason)")
    }
}

// MARK: - Property lists

extension AccountProvider: Decodable {
    private enum CodingKeys: String, CodingKey {
        case name = "Name"
        case issuer = "Issuer"
        case authorizationEndpoint = "AuthorizationEndpoint"
        case tokenEndpoint = "TokenEndpoint"
        case deviceEndpoint = "DeviceAuthorizationEndpoint"
        case revocationEndpoint = "RevocationEndpoint"
        case namesIssuerInRedirects = "NamesIssuerInRedirects"
        case clientID = "ClientID"
        case clientSecret = "ClientSecret"
        case clientAuthentication = "ClientAuthentication"
        case scopes = "Scopes"
        case redirectPath = "RedirectPath"
        case resources = "Resources"
    }

    /// Reads a provider from a property list whose keys are the properties with a capital letter, such as `TokenEndpoint`.
    ///
    /// - Throws: ``AccountError`` with `invalidProvider`, which names the key that is missing or wrong.
    public init(propertyList: Data) throws {
        do {
            self = try PropertyListDecoder().decode(AccountProvider.self, from: propertyList)
        } catch let error as DecodingError {
            throw AccountError(.invalidProvider, "the provider's property list is not valid: \(Self.place(of: error))")
        }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func url(_ key: CodingKeys) throws -> URL? {
            guard let text = try values.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard let url = URL(string: text) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "not a URL")
            }
            return url
        }
        name = try values.decode(String.self, forKey: .name)
        guard let token = try url(.tokenEndpoint) else {
            throw DecodingError.keyNotFound(
                CodingKeys.tokenEndpoint, .init(codingPath: [], debugDescription: "missing"))
        }
        tokenEndpoint = token
        clientID = try values.decode(String.self, forKey: .clientID)
        resources = try values.decode([String].self, forKey: .resources).map { text in
            guard let url = URL(string: text) else {
                throw DecodingError.dataCorruptedError(forKey: .resources, in: values, debugDescription: "not a URL")
            }
            return url
        }
        issuer = try values.decodeIfPresent(String.self, forKey: .issuer)
        authorizationEndpoint = try url(.authorizationEndpoint)
        deviceEndpoint = try url(.deviceEndpoint)
        revocationEndpoint = try url(.revocationEndpoint)
        namesIssuerInRedirects = try values.decodeIfPresent(Bool.self, forKey: .namesIssuerInRedirects) ?? false
        clientSecret = try values.decodeIfPresent(String.self, forKey: .clientSecret).map { Secret($0) }
        clientAuthentication =
            try values.decodeIfPresent(ClientAuthentication.self, forKey: .clientAuthentication) ?? .basic
        scopes = try values.decodeIfPresent([String].self, forKey: .scopes) ?? []
        redirectPath = try values.decodeIfPresent(String.self, forKey: .redirectPath) ?? "/callback"
        try validate()
    }

    /// Which key an error is about: its own text may have values in it.
    private static func place(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "the key \(key.stringValue) is missing"
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is not in the form of property lists"
                : "the value of \(context.codingPath.map(\.stringValue).joined(separator: ".")) is not of its kind"
        @unknown default: "it is not in the expected form"
        }
    }
}
