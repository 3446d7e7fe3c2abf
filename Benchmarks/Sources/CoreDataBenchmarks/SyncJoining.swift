import CRawBaseline
import CoreData
import CoreDataSyncing

/// What it costs that a store joins one with many objects, over a folder: the peer writes the whole state, and the new store takes it.
enum SyncJoining {
    static let all = [
        Benchmark("YJ", size: 1_000_000) { count, session in
            let scene = try Scene(session.workbench, count)
            defer { scene.remove() }
            let founding = try scene.timed { try scene.first.join(.founding) }
            let giving = try scene.timed {
                try scene.second.join(.joining)
                try scene.first.exchange()
            }
            let taking = try scene.timed { try scene.second.exchange() }
            guard try scene.second.count() == count else { throw Failure("the store that joined has other objects") }
            let file = try scene.timed { try scene.copyFile() }
            let rows = try scene.timed { try scene.copyRows() }
            let joining = Sample(seconds: giving.seconds + taking.seconds)
            return [
                Row(
                    name: "YJ  join a store of \(count) objects of ten integers, by copying it object by object",
                    value: joining.seconds / rows.seconds, bar: 3,
                    measurement: Measurement(ours: joining, raw: Sample(seconds: rows.seconds))),
                Row(
                    name: "YJ  the same, by copying its file", value: joining.seconds / file.seconds,
                    measurement: Measurement(ours: joining, raw: Sample(seconds: file.seconds))),
                Row(
                    name: "YJ  found sync in it, by copying it object by object",
                    value: founding.seconds / rows.seconds,
                    measurement: Measurement(
                        ours: Sample(seconds: founding.seconds), raw: Sample(seconds: rows.seconds))),
                Row(name: "YJ peak  of the founding store, MiB", value: founding.mebibytes, bar: 256),
                Row(name: "YJ peak  of the store that gives, MiB", value: giving.mebibytes, bar: 256),
                Row(name: "YJ peak  of the store that joins, MiB", value: taking.mebibytes, bar: 256),
            ]
        }
    ]

    private struct Scene {
        let bench: Workbench
        let folder: URL
        let first: SyncedItems
        let second: SyncedItems

        init(_ bench: Workbench, _ count: Int) throws {
            self.bench = bench
            folder = bench.folder.appendingPathComponent("exchange-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let transport = FolderTransport(folder)
            first = try SyncedItems(bench, count, over: transport)
            second = try SyncedItems(bench, 0, over: FolderTransport(folder))
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        /// The time of some work and the most memory that the process had in use meanwhile.
        func timed(_ work: () throws -> Void) throws -> (seconds: Double, mebibytes: Double) {
            ProcessMemory.resetPeak()
            let start = raw_now()
            try work()
            return (raw_now() - start, Double(try ProcessMemory.peak()) / 1_048_576)
        }

        /// What `coredata copy` does of a store of the same kind.
        func copyFile() throws {
            let target = bench.place("Copied")
            defer { Workbench.removeStore(at: target) }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: first.container.managedObjectModel)
            try coordinator.replacePersistentStore(
                at: target, destinationOptions: nil, withPersistentStoreFrom: first.store.url, sourceOptions: nil,
                ofType: NSSQLiteStoreType)
        }

        /// What `coredata copy` does of a store of another kind: rows are read and written.
        func copyRows() throws {
            let target = bench.place("Copied")
            defer { Workbench.removeStore(at: target) }
            let source = try first.store.open(tracksHistory: true)
            let coordinator = source.persistentStoreCoordinator
            _ = try coordinator.migratePersistentStore(
                coordinator.persistentStores[0], to: target, options: nil, withType: NSSQLiteStoreType)
            try Workbench.close(source)
        }
    }
}
