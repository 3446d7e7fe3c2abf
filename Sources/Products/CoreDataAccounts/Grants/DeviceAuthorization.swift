import Foundation

/// A code that the user enters on another device (RFC 8628): show ``userCode`` and ``verificationURL``, and wait for the tokens by
/// ``AccountAuthorizer/tokens(for:)``.
public struct DeviceAuthorization: Sendable {
    /// What the user types.
    public let userCode: String
    /// Where the user types it.
    public let verificationURL: URL
    /// The same place with the code in it, for a link or a square code; nil if the provider has none.
    public let completeURL: URL?
    /// When the code expires.
    public let expiry: Date
    let deviceCode: Secret
    /// The seconds between two questions.
    let interval: TimeInterval

    /// - Throws: ``AccountError``: `refused`, `invalidAnswer`.
    init(_ answer: ProviderAnswer, host: String, now: Date) throws {
        if let code = answer.error { throw AccountError(.refused(code), "\(host) refuses: \(code)") }
        guard let device = answer.text("device_code"), let user = answer.text("user_code"),
            let verification = Self.page(answer.text("verification_uri")), let seconds = answer.seconds("expires_in"),
            user.count <= 64, !user.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw ProviderAnswer.invalid(host, "has no code for another device, or no page of https for it") }
        (deviceCode, userCode, verificationURL) = (Secret(device), user, verification)
        completeURL = Self.page(answer.text("verification_uri_complete"))
        expiry = now.addingTimeInterval(min(seconds, 86_400))
        // At least a second, so that nothing is asked for without a pause; 5 if nothing is said.
        interval = min(max(1, answer.seconds("interval") ?? 5), 3_600)
    }

    private static func page(_ text: String?) -> URL? {
        guard let url = text.flatMap({ URL(string: $0) }), Origin(secure: url) != nil else { return nil }
        return url
    }
}
