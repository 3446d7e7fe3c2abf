import CoreData
import SQLiteKit
import StoreContract
import Synchronization
import TestBasics

@testable import CoreDataSQLite

/// A store of heroes, in SQLite unless another kind is asked for, opened with options, and what tests need to hold its threads where they want them.
final class ReadingScene: @unchecked Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    private let folder: TemporaryFolder

    /// Makes a store with heroes named "0", "1" and so on, whose strength is their number.
    init(
        _ options: [String: Any] = [:], of kind: String = NSSQLiteStoreType, heroes: Int = 3, isReadOnly: Bool = false
    ) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Test.sqlite")
        let model = HeroModel.make()
        var coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var store = try coordinator.addPersistentStore(
            ofType: kind, configurationName: nil, at: url, options: options)
        let context = Self.context(of: coordinator)
        try context.performAndWait {
            for number in 0..<heroes {
                let hero = context.insert("Hero", ["name": "\(number)", "strength": number])
                context.insert("Power", ["name": "of \(number)", "level": number, "hero": hero])
            }
            try context.save()
            context.reset()
        }
        if isReadOnly {
            try coordinator.remove(store)
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            store = try coordinator.addPersistentStore(
                ofType: kind, configurationName: nil, at: url,
                options: options.merging([NSReadOnlyPersistentStoreOption: true]) { $1 })
        }
        (self.coordinator, self.store, self.folder) = (coordinator, store, folder)
    }

    var url: URL { folder.url.appendingPathComponent("Test.sqlite") }

    /// The readers, which the store must have.
    var pool: ReaderPool {
        get throws {
            guard let pool = (store.objects as? StoreFile)?.pool else { throw CocoaError(.featureUnsupported) }
            return pool
        }
    }

    func newContext(_ name: String? = nil) -> NSManagedObjectContext {
        let context = Self.context(of: coordinator)
        context.name = name
        return context
    }

    private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Lets two threads want the store at once, after which it is read with its readers.
    func meetAtStore() throws {
        let (held, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = DispatchGroup()
        done.enter()
        Thread.detachNewThread { [store] in
            store.serialized {
                held.signal()
                _ = isOver.wait(timeout: .now() + 10)
            }
            done.leave()
        }
        _ = held.wait(timeout: .now() + 10)
        try store.reading { _ in }
        isOver.signal()
        done.wait()
    }
}

/// A save that stands still inside its transaction until it is let go on.
final class StandingSave: @unchecked Sendable {
    private let (inside, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    private let done = DispatchGroup()
    private let error = Mutex<String?>(nil)
    private let stops = Tally()

    /// Begins the save of a context, and returns when its first row is about to be written.
    init(_ context: NSManagedObjectContext, in scene: ReadingScene) throws {
        guard let connection = (scene.store.objects as? StoreFile)?.connection else {
            throw CocoaError(.featureUnsupported)
        }
        connection.trace = { [inside, release, stops] sql in
            guard ["INSERT", "UPDATE", "DELETE"].contains(String(sql.prefix(6))), stops.value == 0 else {
                return
            }
            stops.add()
            inside.signal()
            _ = release.wait(timeout: .now() + 30)
        }
        done.enter()
        let moved = Transfer(connection)
        Thread.detachNewThread { [self] in
            context.performAndWait {
                do { try context.save() } catch { self.error.withLock { $0 = "\(error)" } }
                moved.value.trace = nil
            }
            done.leave()
        }
        guard inside.wait(timeout: .now() + 30) == .success else { throw CocoaError(.executableLoad) }
    }

    /// Lets the save go on, and waits for its end; gives what it threw.
    @discardableResult func finish() -> String? {
        release.signal()
        done.wait()
        return error.withLock { $0 }
    }
}

/// Runs a block on a thread of its own; false when it has not ended after so many seconds.
func onAnotherThread(within seconds: Double = 20, _ block: @escaping @Sendable () -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        block()
        done.signal()
    }
    return done.wait(timeout: .now() + seconds) == .success
}
