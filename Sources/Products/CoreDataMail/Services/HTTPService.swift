import CoreDataGraph
import CoreDataTransfer
import FoundationNetworking
import UniformTypeIdentifiers

/// A service that takes texts and files by one request of HTTP, as gateways for text messages and social services do: how it wants
/// them.
///
/// A request is sent once. It is not sent again on a failure, and follows no redirect.
public struct HTTPService: Sendable {
    /// How the values are written.
    public enum Format: Sendable, Hashable {
        /// `application/x-www-form-urlencoded`; `multipart/form-data` where there are files.
        case form
        /// An object of JSON; a field with several values is an array, files are texts in base64.
        case json
    }

    /// Where to.
    public var url: URL
    /// How the values are written.
    public var format: Format
    /// The service's names of fields, by ours: `recipients`, `subject`, `body`, `url`, `file`. A field that is missing has our
    /// name; one that is the empty text is not sent.
    public var fields: [String: String]
    /// Further fields of each request, such as the account's number.
    public var constants: [String: String]
    /// Header fields, such as `Authorization`.
    public var headers: [String: String]
    /// How long connecting may take, and how long the service may say nothing, in seconds.
    public var timeout: TimeInterval
    /// Certificates that are trusted besides, or instead, of the system's: a file in PEM form.
    public var certificateAuthorities: URL?

    /// A service.
    public init(
        url: URL, format: Format = .form, fields: [String: String] = [:], constants: [String: String] = [:],
        headers: [String: String] = [:], timeout: TimeInterval = 30
    ) {
        (self.url, self.format, self.fields, self.constants) = (url, format, fields, constants)
        (self.headers, self.timeout) = (headers, timeout)
    }

    /// Whether the URL is one of the web.
    public var isUsable: Bool {
        ["http", "https"].contains(url.scheme?.lowercased() ?? "") && url.host?.isEmpty == false
    }

    /// Sends values and files, and waits.
    ///
    /// - Returns: The service's answer.
    /// - Throws: ``MailError``: `outcomeUnknown` if the answer is missing after the request was sent.
    func post(_ values: [(field: String, values: [String])], files: [SharedFile]) throws -> Data {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = timeout
        let named =
            values.compactMap { field, texts in name(of: field).map { ($0, texts) } }
            .filter { !$0.1.isEmpty } + constants.sorted { $0.key < $1.key }.map { ($0.key, [$0.value]) }
        switch format {
        case .form: setForm(of: &request, named, files)
        case .json: try setJSON(of: &request, named, files)
        }
        for (field, value) in headers { request.setValue(value, forHTTPHeaderField: field) }
        var configuration = TransferConfiguration()
        (configuration.connectTimeout, configuration.maximumRedirects, configuration.keepsCookies) = (timeout, 0, false)
        configuration.trustedCertificates = certificateAuthorities
        var options = TransferOptions()
        options.maximumBodySize = 1 << 20
        do {
            return try TransferSession(configuration: configuration).blocking.data(for: request, options: options).0
        } catch let error as TransferError { throw Self.failure(error, url) }
    }

    private func name(of field: String) -> String? {
        let name = fields[field] ?? field
        return name.isEmpty ? nil : name
    }

    private func setForm(of request: inout URLRequest, _ values: [(String, [String])], _ files: [SharedFile]) {
        let texts = values.flatMap { name, texts in texts.map { (name, $0) } }
        let file = name(of: "file")
        guard !files.isEmpty, let file else {
            let pairs = texts.map { "\(PercentText.escaped($0.0))=\(PercentText.escaped($0.1))" }
            request.httpBody = Data(pairs.joined(separator: "&").utf8)
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            return
        }
        request.setMultipartBody(
            texts.map { FormPart(name: $0.0, data: Data($0.1.utf8)) }
                + files.map {
                    FormPart(name: file, data: $0.data, fileName: $0.name, contentType: $0.type.preferredMIMEType)
                })
    }

    private func setJSON(of request: inout URLRequest, _ values: [(String, [String])], _ files: [SharedFile]) throws {
        var object: [String: Any] = [:]
        let recipients = name(of: "recipients")
        for (name, texts) in values {
            let isList = name == recipients || texts.count > 1
            object[name] = isList ? texts as Any : texts[0]
        }
        if let file = name(of: "file"), !files.isEmpty {
            object[file] = files.map {
                [
                    "name": $0.name, "type": $0.type.preferredMIMEType ?? "application/octet-stream",
                    "data": $0.data.base64EncodedString(),
                ]
            }
        }
        request.httpBody = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }

    private static func failure(_ error: TransferError, _ url: URL) -> MailError {
        let place = url.host ?? "the service"
        switch error.code {
        case .hostNotFound, .cannotConnect, .addressNotAllowed:
            return MailError(
                .unreachable, "no connection was made to \(place): \(error.reason)",
                hint: "nothing was sent; try again later")
        case .insecureConnection:
            return MailError(
                .insecureConnection, "\(place) has no valid, trusted certificate", hint: "see that the URL is right")
        case .status(let status):
            let said = FieldText.shown(String(decoding: error.body.prefix(200), as: UTF8.self))
            let text = "\(place) answered \(status): \(said)"
            switch status {
            case 401, 403: return MailError(.loginFailed, text, hint: "see that the service's key is right")
            case 413: return MailError(.tooLarge, text, hint: "send less")
            case 429, 503: return MailError(.deferred, text, hint: "try again later")
            case 500...:
                return MailError(
                    .outcomeUnknown, text, hint: "see in the service whether it was taken, before sending it again")
            default: return MailError(.refused, text, hint: "see what the service says, and change what is sent")
            }
        case .invalidRequest, .unsupportedScheme:
            return MailError(
                .notConfigured, "the request cannot be sent: \(error.reason)",
                hint: "see the service's URL and header fields")
        case .tooManyRedirects:
            return MailError(
                .refused, "\(place) redirects, which is not followed", hint: "configure the URL to which it leads")
        default:
            return MailError(
                .outcomeUnknown, "\(place) may have taken it, but did not say so: \(error.reason)",
                hint: "see in the service whether it was taken, before sending it again")
        }
    }
}

/// A file to hand on: its bytes, what they are, and a name.
public struct SharedFile: Sendable, Hashable {
    /// The name, without a path.
    public let name: String
    /// The type.
    public let type: UTType
    /// The bytes.
    public let data: Data

    /// A file.
    public init(name: String, type: UTType, data: Data) { (self.name, self.type, self.data) = (name, type, data) }
}
