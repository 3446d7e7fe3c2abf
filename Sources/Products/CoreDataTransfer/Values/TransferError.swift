import Foundation
import FoundationNetworking

/// Why a transfer failed, with the URL at which it did: of a redirected request that is the last one.
public struct TransferError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// The request cannot be sent: its URL, method or header fields are not valid.
        case invalidRequest
        /// The URL, or one that a redirect leads to, is none of `http` and `https`.
        case unsupportedScheme
        /// No address was found for the host.
        case hostNotFound
        /// No connection was made: nothing listens there, or nothing answers.
        case cannotConnect
        /// The session's policy does not allow the address of the host.
        case addressNotAllowed
        /// The server's certificate is not valid or not trusted, or no common version of TLS was found.
        case insecureConnection
        /// The connection failed, or was closed before the response was complete.
        case connectionLost
        /// The body ended before it was complete.
        case incompleteBody
        /// Nothing moved for as long as the request allows, or the transfer took longer than the session allows.
        case timedOut
        /// The response is not valid HTTP, its header fields are too large, or its body cannot be decoded. A compressed body
        /// whose end is missing is not always noticed: libcurl 7.88 reports none if the length is as announced.
        case invalidResponse
        /// The status is not accepted.
        case status(Int)
        /// The type of content is not accepted.
        case contentType(String?)
        /// The body is larger than the options allow.
        case bodyTooLarge
        /// The redirects are more than the session allows.
        case tooManyRedirects
        /// The body must be sent once more, to another place or with a credential, and is a stream that cannot be.
        case bodyNotRepeatable
        /// The body to send cannot be read.
        case unreadableBody
        /// The file of a download cannot be written.
        case unwritableFile
        /// Another download writes to the same file.
        case fileInUse
        /// The server continues a download with another version of the content.
        case changedContent
        /// The text is not valid in the encoding that the response names.
        case undecodableText
        /// The property list is not valid.
        case invalidPropertyList
        /// A function that waits was called on the main thread.
        case calledOnMainThread
    }

    /// The kind of failure.
    public let code: Code
    /// The URL of the request that failed, after redirects; nil if the request has none.
    public let url: URL?
    /// What happened, in a sentence for people.
    public let reason: String
    /// The response whose status or type is not accepted.
    public let response: HTTPURLResponse?
    /// The first 4,096 bytes of that response's body.
    public let body: Data

    init(_ code: Code, _ url: URL?, _ reason: String, response: HTTPURLResponse? = nil, body: Data = Data()) {
        (self.code, self.url, self.reason, self.response, self.body) = (code, url, reason, response, body)
    }

    public var description: String {
        "\(reason)\(url.map { " (URL: \($0.textWithoutPassword))" } ?? "")"
    }
    public var errorDescription: String? { description }
}

extension URL {
    /// The text without a password, as messages show it.
    package var textWithoutPassword: String {
        guard password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else {
            return absoluteString
        }
        parts.password = nil
        return parts.string ?? host ?? ""
    }
}
