import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing
import WriteScenarios

/// A store that is followed by this process, and what the coordinator says of commits to it.
final class RemoteCommits {
    struct Notice {
        let transaction: Int64?
        /// The time of the shared clock.
        let time: Int
    }

    private let folder: TemporaryFolder
    let url: URL
    let stack: Stack
    private let noted: Notes
    private let observer: any NSObjectProtocol

    /// Shared with the observer, which may outlive the other parts.
    private final class Notes: Sendable {
        let notices = Mutex<[Notice]>([])
    }

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Followed.sqlite")
        let options = AuthoredEntries.options.merging(
            [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]) { $1 }
        stack = try Stack(AuthoredEntries.make(), url: url, options: options)
        let noted = Notes()
        self.noted = noted
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: stack.coordinator, queue: nil
        ) { notification in
            let time = SharedClock.nanoseconds
            let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
            noted.notices.withLock { $0.append(Notice(transaction: token?.numbers.values.first, time: time)) }
        }
    }

    deinit { NotificationCenter.default.removeObserver(observer) }

    /// The notices so far, in the order in which they came.
    var notices: [Notice] { noted.notices.withLock { $0 } }

    /// The transactions that notices told of.
    var transactions: [Int64?] { notices.map(\.transaction) }

    /// The last transaction that a notice told of.
    var last: Int64 { notices.last?.transaction ?? 0 }

    /// Saves one entry of this process.
    func save(_ number: Int) throws {
        AuthoredEntries.add(number, by: "own", to: stack.context)
        try stack.context.save()
    }
}
