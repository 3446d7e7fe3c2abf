import CoreDataAccounts
import CoreDataTransfer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The timeline: authorizes, loads, and loads again every fifteen seconds while it is visible.
@MainActor final class TimelineController {
    static let authorizingTitle = "Authorizing…"
    static let loadingTitle = "Loading Tweets…"
    static let title = "Timeline"
    static let refreshInterval = Duration.seconds(15)

    private let messages: MessageStore
    private let account: TimelineAccount
    private let statuses: URL
    private let avatars: AvatarLoader
    private let sleep: @Sendable (Duration) async throws -> Void
    private var visit: Task<Void, Never>?

    /// What stands above the list.
    private(set) var title = "" { didSet { onChange() } }
    /// The rows, the newest first.
    private(set) var rows: [TimelineRow] = [] { didSet { onChange() } }
    /// The pictures of the rows, as far as they have come.
    private(set) var pictures: [URL: Data] = [:]
    /// Why the last attempt to load failed; nil when it did not.
    private(set) var problem: String?
    /// Called when title or rows have changed.
    var onChange: @MainActor () -> Void = {}

    /// Makes a timeline.
    ///
    /// - Parameters:
    ///   - statuses: where the messages are.
    ///   - sleep: waits for a time.
    init(
        _ messages: MessageStore, account: TimelineAccount, statuses: URL, avatars: AvatarLoader,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.messages, self.account, self.statuses, self.avatars) = (messages, account, statuses, avatars)
        self.sleep = sleep
    }

    /// The list has become visible: it is loaded until it disappears.
    func appear() {
        visit?.cancel()
        visit = Task { await run() }
    }

    /// The list is not visible any longer: nothing more is loaded.
    func disappear() {
        visit?.cancel()
        visit = nil
    }

    /// Waits until nothing is loaded any longer, because the list has disappeared or access was denied.
    func waitUntilIdle() async { await visit?.value }

    private func run() async {
        do {
            title = Self.authorizingTitle
            var session = try await account.session()
            title = Self.loadingTitle
            while true {
                do {
                    try await load(session)
                } catch let error as AccountError where Self.needsAuthorization(error) {
                    title = Self.authorizingTitle
                    session = try await account.authorize()
                    title = Self.loadingTitle
                    continue
                } catch  where !(error is CancellationError) {
                    problem = "\(error)"
                }
                try await sleep(Self.refreshInterval)
            }
        } catch is CancellationError {
        } catch { problem = "\(error)" }
    }

    private static func needsAuthorization(_ error: AccountError) -> Bool {
        if case .authorizationNeeded = error.code { true } else { false }
    }

    private func load(_ session: AccountSession) async throws {
        let (data, _) = try await session.data(for: URLRequest(url: statuses))
        try await messages.add(data)
        try Task.checkCancellation()
        problem = nil
        rows = try messages.rows()
        title = Self.title
        pictures = await avatars.pictures(of: rows)
        try Task.checkCancellation()
    }
}
