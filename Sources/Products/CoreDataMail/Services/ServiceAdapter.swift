import CoreDataGraph
import LockKit
import UniformTypeIdentifiers

/// What is posted to a service.
public struct ServicePost: Sendable, Hashable {
    /// The text.
    public var text: String
    /// Links.
    public var urls: [URL]
    /// Pictures and other files.
    public var files: [SharedFile]

    /// A post.
    public init(text: String = "", urls: [URL] = [], files: [SharedFile] = []) {
        (self.text, self.urls, self.files) = (text, urls, files)
    }

    /// Whether there is nothing to post.
    public var isEmpty: Bool { text.isEmpty && urls.isEmpty && files.isEmpty }
}

/// A service to which texts, links and files are posted.
public protocol ServiceAdapter: Sendable {
    /// A name in reversed domain order, by which programs ask for the service.
    var serviceType: String { get }
    /// What people call it.
    var title: String { get }
    /// Whether it is configured, with a login where it needs one.
    var isAvailable: Bool { get }
    /// Whether files of a type are taken.
    func supports(_ type: UTType) -> Bool
    /// The longest text, in characters; nil for any.
    var longestText: Int? { get }
    /// Posts once, and waits.
    ///
    /// - Throws: ``MailError``.
    func post(_ post: ServicePost) throws
}

extension ServiceAdapter {
    /// Any length.
    public var longestText: Int? { nil }
}

/// A service that takes posts over HTTP.
public struct HTTPServiceAdapter: ServiceAdapter {
    /// The name by which programs ask for it.
    public let serviceType: String
    /// What people call it.
    public let title: String
    /// How it wants posts.
    public let service: HTTPService
    /// The types of files that it takes; those that conform to them too.
    public let fileTypes: [UTType]
    /// The longest text, in characters.
    public let longestText: Int?

    /// A service.
    public init(
        serviceType: String, title: String, service: HTTPService, fileTypes: [UTType] = [.image],
        longestText: Int? = nil
    ) {
        (self.serviceType, self.title, self.service) = (serviceType, title, service)
        (self.fileTypes, self.longestText) = (fileTypes, longestText)
    }

    /// Whether the URL is one of the web.
    public var isAvailable: Bool { service.isUsable }

    /// Whether files of a type are taken.
    public func supports(_ type: UTType) -> Bool { fileTypes.contains { type.conforms(to: $0) } }

    /// Sends the post as one request.
    public func post(_ post: ServicePost) throws {
        let values = [("body", post.text.isEmpty ? [] : [post.text]), ("url", post.urls.map(\.absoluteString))]
        _ = try service.post(values.map { (field: $0.0, values: $0.1) }, files: post.files)
    }
}

/// The services of a process, by their types.
public enum ServiceAdapters {
    private static let adapters = Locked<[any ServiceAdapter]>([])

    /// The services, in the order in which they were registered.
    public static var all: [any ServiceAdapter] { adapters.withLock { $0 } }

    /// Registers a service; one of the same type is replaced.
    public static func register(_ adapter: any ServiceAdapter) {
        adapters.withLock { all in
            all.removeAll { $0.serviceType == adapter.serviceType }
            all.append(adapter)
        }
    }

    /// Removes a service.
    public static func remove(_ serviceType: String) {
        adapters.withLock { all in all.removeAll { $0.serviceType == serviceType } }
    }

    /// A service by its type.
    public static func adapter(_ serviceType: String) -> (any ServiceAdapter)? {
        all.first { $0.serviceType == serviceType }
    }
}
