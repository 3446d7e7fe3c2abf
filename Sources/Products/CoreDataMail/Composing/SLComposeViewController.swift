import CoreDataGraph
import LockKit
import UniformTypeIdentifiers

/// How a dialog for a post ended.
public enum SLComposeViewControllerResult: Int, Sendable {
    /// Nothing was posted.
    case cancelled = 0
    /// The service has taken the post.
    case done = 1
}

/// A post that a person writes to a service: the model of Apple's class of this name, without a view.
///
/// Of ``post()`` and ``cancel()`` the first that is called counts. A post that fails ends as cancelled, as Apple's does;
/// ``Outcome/error`` says why. A dialog that is released without either ends as cancelled. May be used on any thread.
public final class SLComposeViewController: Sendable {
    private let draft = Locked(ServicePost())
    private let adapter: any ServiceAdapter
    private let end: ComposerEnd<Outcome>

    /// What came of a dialog.
    public struct Outcome: Sendable {
        /// How it ended.
        public let result: SLComposeViewControllerResult
        /// Why a post failed; nil for one that was made, or given up by the person.
        public let error: (any Error)?
    }

    /// A dialog for a registered service.
    ///
    /// - Parameters:
    ///   - serviceType: The type by which its adapter was registered.
    ///   - queue: Where the handler is called.
    /// - Returns: Nil for a service that is not registered.
    public convenience init?(forServiceType serviceType: String, queue: DispatchQueue = .main) {
        guard let adapter = ServiceAdapters.adapter(serviceType) else { return nil }
        self.init(adapter, queue: queue)
    }

    init(_ adapter: any ServiceAdapter, queue: DispatchQueue) {
        self.adapter = adapter
        end = ComposerEnd(queue: queue)
    }

    deinit { end.end(Outcome(result: .cancelled, error: nil), onlyIfOpen: true) }

    /// Whether a service is registered and set up; where not, do not offer it.
    public static func isAvailable(forServiceType serviceType: String) -> Bool {
        ServiceAdapters.adapter(serviceType)?.isAvailable ?? false
    }

    /// The type of the service.
    public var serviceType: String { adapter.serviceType }
    /// What is in the dialog now.
    public var content: ServicePost { draft.withLock { $0 } }

    /// Sets what is called at the end, once.
    public func onFinish(_ handler: @escaping @Sendable (Outcome) -> Void) { end.set(handler) }

    /// The end, when it has come.
    public var outcome: Outcome { get async { await end.wait() } }

    /// Sets the text; false if it is longer than the service takes, or the dialog has ended.
    @discardableResult
    public func setInitialText(_ text: String) -> Bool {
        guard end.outcome == nil, adapter.longestText.map({ text.count <= $0 }) ?? true else { return false }
        draft.withLock { $0.text = text }
        return true
    }

    /// Adds a picture, or another file; false if the service does not take its type, or the dialog has ended.
    @discardableResult
    public func add(_ file: SharedFile) -> Bool {
        guard end.outcome == nil, adapter.supports(file.type) else { return false }
        draft.withLock { $0.files.append(file) }
        return true
    }

    /// Adds a link; false if the dialog has ended.
    @discardableResult
    public func add(_ url: URL) -> Bool {
        guard end.outcome == nil else { return false }
        draft.withLock { $0.urls.append(url) }
        return true
    }

    /// Removes all files.
    public func removeAllImages() { draft.withLock { $0.files = [] } }
    /// Removes all links.
    public func removeAllURLs() { draft.withLock { $0.urls = [] } }

    /// Closes the dialog. Without effect while it is being posted, and after the end.
    public func cancel() { end.end(Outcome(result: .cancelled, error: nil), onlyIfOpen: true) }

    /// Posts and closes the dialog: on a thread of its own, without waiting.
    public func post() {
        guard end.begin() else { return }
        DispatchQueue.global().async { [self] in
            do {
                guard adapter.isAvailable else {
                    throw MailError(.notConfigured, "\(adapter.title) is not set up", hint: "configure the service")
                }
                let post = content
                guard !post.isEmpty else {
                    throw MailError(.invalidMessage, "there is nothing to post", hint: "add a text, a link or a file")
                }
                try adapter.post(post)
                end.end(Outcome(result: .done, error: nil))
            } catch { end.end(Outcome(result: .cancelled, error: error)) }
        }
    }
}
