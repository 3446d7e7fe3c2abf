import CoreDataFoundation
import Foundation
import Synchronization
import TestBasics
import Testing

@testable import CoreDataSyncing

@Suite("Key-value stores of an account", .timeLimit(.minutes(5)))
struct KeyValueStoreTests {
    /// A device with a clock of its own.
    private final class Device {
        let store: NSUbiquitousKeyValueStore
        /// Seconds since 1970.
        let clock = Shared(1_000.0)

        init(_ name: String, _ folder: URL, _ transport: (any SyncTransport)?) {
            let (place, clock) = (folder.appendingPathComponent(name), clock)
            let now: @Sendable () -> Date = { Date(timeIntervalSince1970: clock.value) }
            store = NSUbiquitousKeyValueStore(clock: now) {
                (try KeyValuePlace(place, transport: transport), "account")
            }
        }
    }

    /// A value that the test changes and the store reads.
    private final class Shared<Value: Sendable>: Sendable {
        private let state: Mutex<Value>
        init(_ value: Value) { state = Mutex(value) }
        var value: Value {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// The notifications of a store.
    private final class Notices: @unchecked Sendable {
        private let all = Mutex<[(reason: Int, keys: [String])]>([])
        private var token: (any NSObjectProtocol)?

        init(_ store: NSUbiquitousKeyValueStore) {
            token = NotificationCenter.default.addObserver(
                forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil
            ) { [weak self] note in
                let reason = note.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
                let keys = note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
                self?.all.withLock { $0.append((reason ?? -1, keys ?? [])) }
            }
        }

        deinit { token.map(NotificationCenter.default.removeObserver) }
        var reasons: [Int] { all.withLock { $0.map(\.reason) } }
        var keys: [[String]] { all.withLock { $0.map(\.keys) } }
    }

    @Test("values of every kind set on one device are read on another, with a notice of their keys (SYNC-15)")
    func valuesTravel() throws {
        let folder = try TemporaryFolder()
        let transport = MemoryTransport()
        let (one, two) = (Device("1", folder.url, transport), Device("2", folder.url, transport))
        let notices = Notices(two.store)
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        one.store.set("Zoë", forKey: "name")
        one.store.set(Int64.max, forKey: "number")
        one.store.set(0.1, forKey: "real")
        one.store.set(true, forKey: "flag")
        one.store.set(Data([0, 255]), forKey: "data")
        one.store.set(["a", 1, date] as [Any], forKey: "array")
        one.store.set(["inner": ["deep": [false]]], forKey: "dictionary")
        #expect(two.store.synchronize())
        #expect(two.store.string(forKey: "name") == "Zoë")
        #expect(two.store.longLong(forKey: "number") == .max)
        #expect(two.store.double(forKey: "real") == 0.1)
        #expect(two.store.bool(forKey: "flag"))
        #expect(two.store.data(forKey: "data") == Data([0, 255]))
        #expect(two.store.array(forKey: "array")?[2] as? Date == date)
        #expect(
            ((two.store.dictionary(forKey: "dictionary")?["inner"] as? [String: Any])?["deep"] as? [Bool]) == [false])
        #expect(two.store.string(forKey: "number") == nil)
        #expect(two.store.longLong(forKey: "none") == 0)
        #expect(notices.reasons == [NSUbiquitousKeyValueStoreInitialSyncChange])
        #expect(notices.keys == [["array", "data", "dictionary", "flag", "name", "number", "real"]])
        #expect(Set(two.store.dictionaryRepresentation.keys) == Set(one.store.dictionaryRepresentation.keys))

        one.store.removeObject(forKey: "name")
        #expect(two.store.synchronize())
        #expect(two.store.object(forKey: "name") == nil)
        #expect(notices.reasons.last == NSUbiquitousKeyValueStoreServerChange)
        #expect(notices.keys.last == ["name"])
        #expect(two.store.synchronize())
        #expect(notices.keys.count == 2, "nothing has changed since")
    }

    @Test("of two values of a key the later counts on both devices, in whatever order they hear of them (SYNC-15)")
    func latestValueWins() throws {
        let folder = try TemporaryFolder()
        let transport = MemoryTransport()
        let (one, two) = (Device("1", folder.url, transport), Device("2", folder.url, transport))
        transport.isOnline = false
        two.clock.value = 2_000
        two.store.set("later", forKey: "a")
        one.store.set("earlier", forKey: "a")
        one.store.set("alone", forKey: "b")
        #expect(one.store.lastError != nil)
        #expect(!one.store.synchronize(), "there is no way to the others")
        #expect(one.store.string(forKey: "a") == "earlier", "the values are there without a network")
        transport.isOnline = true
        for _ in 0..<2 { for device in [one, two] { #expect(device.store.synchronize()) } }
        for device in [one, two] {
            #expect(device.store.string(forKey: "a") == "later")
            #expect(device.store.string(forKey: "b") == "alone")
        }
        // A clock that is behind does not make what a person sets now lose against what the device shows.
        one.store.set("last", forKey: "a")
        #expect(two.store.synchronize())
        #expect(two.store.string(forKey: "a") == "last")
    }

    @Test("values outlive the program, and a damaged file of theirs is replaced by what others have (SYNC-15)")
    func valuesOutliveTheProgram() throws {
        let folder = try TemporaryFolder()
        let transport = MemoryTransport()
        do {
            let device = Device("1", folder.url, transport)
            device.store.set("kept", forKey: "a")
        }
        transport.isOnline = false
        #expect(Device("1", folder.url, transport).store.string(forKey: "a") == "kept")
        try Data("damaged".utf8).write(to: folder.url.appendingPathComponent("1/values"))
        transport.isOnline = true
        let other = Device("2", folder.url, transport)
        #expect(other.store.synchronize())
        let again = Device("1", folder.url, transport)
        #expect(again.store.string(forKey: "a") == nil)
        #expect(again.store.synchronize())
        #expect(again.store.string(forKey: "a") == "kept")
    }

    @Test("a key too many, a long key, more than 1 MiB and other than property lists are refused with errors (SYNC-16)")
    func limitsHold() throws {
        let folder = try TemporaryFolder()
        var state = KeyValueState()
        for number in 0..<1_024 {
            try state.set(.integer(Int64(number)), forKey: "key \(number)", by: "d", at: Int64(number))
        }
        try KeyValuePlace(folder.url.appendingPathComponent("1"), transport: nil).save(state)
        let device = Device("1", folder.url, nil)
        let notices = Notices(device.store)
        let error = #expect(throws: SyncError.self) { try device.store.setValue(checking: 1, forKey: "one more") }
        #expect(error?.description.contains("1025th") == true)
        try device.store.setValue(checking: 2, forKey: "key 0")
        try device.store.setValue(checking: nil, forKey: "key 1")
        try device.store.setValue(checking: 1, forKey: "one more")
        #expect(throws: SyncError.self) { try device.store.setValue(checking: Data(count: 1 << 20), forKey: "key 2") }
        #expect(device.store.longLong(forKey: "key 2") == 2)
        #expect(throws: SyncError.self) {
            try device.store.setValue(checking: 1, forKey: String(repeating: "k", count: 65))
        }
        #expect(throws: SyncError.self) { try device.store.setValue(checking: 1, forKey: "") }
        #expect(throws: SyncError.self) {
            try device.store.setValue(checking: URL(fileURLWithPath: "/"), forKey: "key 3")
        }
        device.store.set(Data(count: 2 << 20), forKey: "key 4")
        #expect(notices.reasons == [NSUbiquitousKeyValueStoreQuotaViolationChange])
        #expect(notices.keys == [["key 4"]])
        #expect(device.store.lastError != nil)
        #expect(device.store.longLong(forKey: "key 4") == 4)
        #expect(!device.store.synchronize(), "without an account values are not exchanged (SYNC-16)")
    }

    @Test("states that merge in any order are equal, also with removed keys (SYNC-15)")
    func mergesCommute() throws {
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<200 {
            var states = (0..<3).map { _ in KeyValueState() }
            for _ in 0..<30 {
                let device = Int.random(in: 0..<3, using: &random)
                let value: Int64? = Bool.random(using: &random) ? Int64.random(in: 0..<9, using: &random) : nil
                try states[device].set(
                    value.map { .integer($0) }, forKey: "k\(Int.random(in: 0..<5, using: &random))", by: "d\(device)",
                    at: Int64.random(in: 0..<6, using: &random))
                if Int.random(in: 0..<6, using: &random) == 0 { _ = states[device].merge(states[(device + 1) % 3]) }
            }
            func merged(_ order: [Int]) -> KeyValueState {
                var state = KeyValueState()
                for number in order { _ = state.merge(states[number]) }
                return state
            }
            let expected = merged([0, 1, 2])
            for order in [[2, 1, 0], [1, 0, 2, 0], [0, 2, 1, 1]] { #expect(merged(order) == expected) }
            #expect(try KeyValueState(data: expected.data) == expected)
        }
    }

    @Test("a file of another device with bits changed is read or refused, and stops nothing (SYNC-15)")
    func damagedStatesAreRefused() throws {
        var state = KeyValueState()
        try state.set(.string("x"), forKey: "a", by: "d", at: 5)
        try state.set(nil, forKey: "b", by: "d", at: 5)
        let bytes = [UInt8](state.data)
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            if let read = try? KeyValueState(data: Data(damaged)) { #expect(read.entries.count <= 2) }
        }
        let folder = try TemporaryFolder()
        let transport = MemoryTransport()
        transport.contents = ["0000000000000001-k-1.ocsync": [1, 2, 3], "0000000000000002-k-2.ocsync": bytes, "x": []]
        let device = Device("1", folder.url, transport)
        #expect(device.store.synchronize())
        #expect(device.store.string(forKey: "a") == "x")
    }

    @Test("a change in a shared folder is noticed without being asked for (SYNC-15)")
    func foldersAreWatched() async throws {
        let folder = try TemporaryFolder()
        let shared = folder.url.appendingPathComponent("shared")
        let (one, two) = (
            Device("1", folder.url, FolderTransport(shared)), Device("2", folder.url, FolderTransport(shared))
        )
        one.store.set("first", forKey: "a")
        #expect(two.store.synchronize())
        one.store.set("second", forKey: "a")
        await eventually("the change is noticed") { two.store.string(forKey: "a") == "second" }
        let names = try FileManager.default.contentsOfDirectory(atPath: shared.path)
        #expect(names.filter { $0.contains("-k-") }.count == 2, "a device has one item")
    }

    @Test("values set without an account go to the first one, and those of an account to no other (SYNC-15)")
    func accountsAreApart() throws {
        let folder = try TemporaryFolder()
        let account = Shared<String?>(nil)
        let transports = ["a": MemoryTransport(), "b": MemoryTransport()]
        let store = NSUbiquitousKeyValueStore {
            let name = account.value
            let place = folder.url.appendingPathComponent(name ?? "none")
            return (try KeyValuePlace(place, transport: name.flatMap { transports[$0] }), name)
        }
        let notices = Notices(store)
        store.set("local", forKey: "x")
        account.value = "a"
        NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil)
        #expect(store.string(forKey: "x") == "local")
        #expect(transports["a"]?.contents.count == 1)
        account.value = "b"
        NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil)
        #expect(store.object(forKey: "x") == nil)
        #expect(notices.reasons.last == NSUbiquitousKeyValueStoreAccountChange)
        #expect(notices.keys.last == ["x"])
        account.value = "a"
        NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil)
        #expect(store.string(forKey: "x") == "local")
    }
}
