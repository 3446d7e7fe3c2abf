import CoreDataFoundation
import Foundation
import Synchronization

/// A few small values that all devices of a person share: preferences, where one was in a book.
///
/// As Apple's class of the same name: at most 1,024 keys of 1 to 64 bytes, and 1 MiB with all values, which are property lists. Of two
/// values of a key the one that was set later counts, on all devices. The values are there without a network and without an account; with
/// one (``SyncAccount``) each value that is set goes to its folder, and what others set comes from there as soon as the system notices it,
/// or with ``synchronize()``. May be used from any thread; notifications are posted on the thread that has noticed the change.
open class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
    private struct State {
        var place: KeyValuePlace?
        var account: String?
        var values = KeyValueState()
        var isInitial = true
        /// Whether changes of other devices are noticed: once the transport was reached, since a folder that is not there cannot be watched.
        var isWatched = false
        var failure: (any Error)?
    }

    /// How the store finds its place: which changes with the account.
    private let find: @Sendable () throws -> (place: KeyValuePlace, account: String?)
    private let clock: @Sendable () -> Date
    private let state = Mutex(State())
    /// Set by the initializer alone.
    private var observer: (any NSObjectProtocol)?

    /// The store of the program, in the container that is named after it.
    public static let `default` = NSUbiquitousKeyValueStore(container: nil)

    /// Posted when values have changed on another device, or were refused; the object is the store.
    public static let didChangeExternallyNotification = NSNotification.Name(
        "NSUbiquitousKeyValueStoreDidChangeExternallyNotification")

    /// A store of a container of the account.
    ///
    /// - Parameter container: As for `FileManager.url(forUbiquityContainerIdentifier:)`.
    public convenience init(container: String?) {
        self.init {
            let account = SyncAccount.identifier
            let shared = FileManager.default.url(forUbiquityContainerIdentifier: container)
            let name = container ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            let own = Self.ownFolder.appendingPathComponent(name.replacingOccurrences(of: "/", with: "~"))
                .appendingPathComponent(account ?? "none")
            let transport = shared.map { FolderTransport($0.appendingPathComponent("KeyValues", isDirectory: true)) }
            return (try KeyValuePlace(own, transport: transport), account)
        }
    }

    /// A store over a transport of a program's own: a folder, a hub, peers.
    ///
    /// - Parameter folder: Where this device keeps the values; made if it is missing.
    public convenience init(folder: URL, over transport: any SyncTransport) {
        self.init { (try KeyValuePlace(folder, transport: transport), transport.title) }
    }

    init(
        clock: @escaping @Sendable () -> Date = { Date() },
        _ find: @escaping @Sendable () throws -> (place: KeyValuePlace, account: String?)
    ) {
        (self.find, self.clock) = (find, clock)
        super.init()
        state.withLock { open(&$0) }
        observer = NotificationCenter.default.addObserver(
            forName: .NSUbiquityIdentityDidChange, object: nil, queue: nil
        ) { [weak self] _ in self?.accountChanged() }
    }

    deinit { observer.map(NotificationCenter.default.removeObserver) }

    private static var ownFolder: URL {
        let named = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
            $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil
        }
        let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        return (named ?? home).appendingPathComponent("opencoredata/key-values")
    }

    // MARK: Values

    /// The value of a key: `String`, `Data`, `Date`, `NSNumber`, or an array or dictionary of them; nil if there is none.
    open func object(forKey aKey: String) -> Any? { state.withLock { $0.values.value(aKey)?.foundationValue } }

    /// Sets a value, or removes it by nil. One that is refused changes nothing; ``lastError`` says why, and a notification with the reason
    /// ``NSUbiquitousKeyValueStoreQuotaViolationChange`` is posted.
    open func set(_ anObject: Any?, forKey aKey: String) {
        do {
            try setValue(checking: anObject, forKey: aKey)
        } catch {
            state.withLock { $0.failure = error }
            post(NSUbiquitousKeyValueStoreQuotaViolationChange, [aKey])
        }
    }

    /// Sets a value, or removes it by nil.
    ///
    /// - Throws: `SyncError` with the code `transport` if the value is no property list, or if there would be too many keys or bytes;
    ///   an error of the system if the value cannot be kept on this device. Nothing changes then.
    public func setValue(checking value: Any?, forKey key: String) throws {
        let list = value.flatMap { PropertyListCoding.list($0) }
        guard value == nil || list != nil else {
            throw SyncError(
                .transport, "The value of the key '\(key)' is no property list.",
                cure: "Use texts, numbers, dates, data, and arrays and dictionaries of them.")
        }
        try state.withLock { state in
            guard value != nil || state.values.value(key) != nil else { return }
            let place = try state.place ?? reopened(&state)
            let before = state.values
            let now = Int64((clock().timeIntervalSince1970 * 1_000_000).rounded())
            do {
                try state.values.set(list, forKey: key, by: place.device, at: now)
                try place.save(state.values)
            } catch {
                state.values = before
                throw error
            }
            // Without a network it is published by the next call that reaches it.
            do {
                try place.publish(state.values)
                watch(&state)
            } catch { state.failure = error }
        }
    }

    /// Removes a value.
    open func removeObject(forKey aKey: String) { set(nil as Any?, forKey: aKey) }

    /// All values by their keys.
    open var dictionaryRepresentation: [String: Any] {
        state.withLock { $0.values.values.mapValues(\.foundationValue) }
    }

    /// Why a value was refused, or could not be brought to the other devices, since the last call of ``synchronize()``; nil if nothing was.
    public var lastError: (any Error)? { state.withLock { $0.failure } }

    // MARK: Exchange

    /// Takes what other devices have set, and offers what this one has.
    ///
    /// - Returns: Whether the values are exchanged with other devices: false without an account, or if its folder cannot be reached.
    @discardableResult open func synchronize() -> Bool {
        let (isReached, changed, isInitial) = state.withLock { state -> (Bool, [String], Bool) in
            state.failure = nil
            do {
                let place = try state.place ?? reopened(&state)
                guard place.transport != nil else { return (false, [], false) }
                let isInitial = state.isInitial
                var values = state.values
                let changed = Set(try place.others().flatMap { values.merge($0) })
                if values != state.values { try place.save(values) }
                state.values = values
                try place.publish(values)
                state.isInitial = false
                watch(&state)
                return (true, changed.sorted(), isInitial)
            } catch {
                state.failure = error
                return (false, [], false)
            }
        }
        if !changed.isEmpty {
            post(
                isInitial ? NSUbiquitousKeyValueStoreInitialSyncChange : NSUbiquitousKeyValueStoreServerChange, changed)
        }
        return isReached
    }

    private func watch(_ state: inout State) {
        guard !state.isWatched, let transport = state.place?.transport else { return }
        state.isWatched = true
        _ = transport.watch { [weak self] in
            DispatchQueue.global(qos: .utility).async { [weak self] in self?.synchronize() }
        }
    }

    private func open(_ state: inout State) {
        do { _ = try reopened(&state) } catch { state.failure = error }
    }

    private func reopened(_ state: inout State) throws -> KeyValuePlace {
        let (place, account) = try find()
        _ = state.place?.transport?.watch(nil)
        (state.place, state.account, state.isWatched) = (place, account, false)
        let saved = place.savedState()
        (state.values, state.isInitial) = (saved ?? KeyValueState(), saved == nil)
        return place
    }

    /// Values of one account do not come into another. Those that were set without an account go to the first one.
    private func accountChanged() {
        let changed = state.withLock { state -> [String]? in
            let (account, before) = (state.account, state.values)
            open(&state)
            guard state.account != account else { return nil }
            if account == nil, let place = state.place {
                _ = state.values.merge(before)
                do { try place.save(state.values) } catch { state.failure = error }
            }
            let keys = Set(before.values.keys).union(state.values.values.keys)
            return keys.filter { before.value($0) != state.values.value($0) }.sorted()
        }
        guard let changed else { return }
        post(NSUbiquitousKeyValueStoreAccountChange, changed)
        synchronize()
    }

    private func post(_ reason: Int, _ keys: [String]) {
        NotificationCenter.default.post(
            name: Self.didChangeExternallyNotification, object: self,
            userInfo: [NSUbiquitousKeyValueStoreChangeReasonKey: reason, NSUbiquitousKeyValueStoreChangedKeysKey: keys])
    }
}

/// The key of the reason of a change, an `Int`.
public let NSUbiquitousKeyValueStoreChangeReasonKey = "NSUbiquitousKeyValueStoreChangeReasonKey"
/// The key of the keys whose values have changed, a `[String]`.
public let NSUbiquitousKeyValueStoreChangedKeysKey = "NSUbiquitousKeyValueStoreChangedKeysKey"
/// Another device has set values.
public let NSUbiquitousKeyValueStoreServerChange = 0
/// The values of other devices were read for the first time.
public let NSUbiquitousKeyValueStoreInitialSyncChange = 1
/// A value was refused; see `NSUbiquitousKeyValueStore.lastError`.
public let NSUbiquitousKeyValueStoreQuotaViolationChange = 2
/// The account has changed.
public let NSUbiquitousKeyValueStoreAccountChange = 3
