import CoreData

/// A row as the last scan left it.
struct KnownFile {
    let id: NSManagedObjectID
    let path: BytePath
    let stamp: FileStamp
    let isAvailable: Bool
}

/// Which found file is which row, by what the file system says alone.
///
/// | found | row | is |
/// |---|---|---|
/// | path and stamp of a row | that row | unchanged, or returned |
/// | stamp of a row whose file is not at its path | that row | moved |
/// | path of a row whose file was not found otherwise | that row | changed |
/// | neither | none yet: the contents decide | new |
struct ScanPlan {
    private(set) var unchanged = 0
    private(set) var returned: [NSManagedObjectID] = []
    private(set) var moved: [(row: NSManagedObjectID, file: FoundFile)] = []
    private(set) var changed: [(row: NSManagedObjectID, file: FoundFile)] = []
    private(set) var new: [FoundFile] = []
    /// Rows without a file, those that had one at the last scan.
    private(set) var vanished: [NSManagedObjectID] = []

    init(found: [FoundFile], known: [KnownFile]) {
        var byPath: [BytePath: Int] = [:]
        byPath.reserveCapacity(known.count)
        for (index, row) in known.enumerated() where byPath[row.path] == nil || row.isAvailable {
            byPath[row.path] = index
        }
        var claimed = [Bool](repeating: false, count: known.count)
        var open: [FoundFile] = []
        for file in found {
            guard let index = byPath[file.path], known[index].stamp == file.stamp else {
                open.append(file)
                continue
            }
            claimed[index] = true
            if known[index].isAvailable { unchanged += 1 } else { returned.append(known[index].id) }
        }
        guard !open.isEmpty || claimed.contains(false) else { return }
        var byStamp: [FileStamp: Int] = [:]
        for (index, row) in known.enumerated() where !claimed[index] { byStamp[row.stamp] = index }
        var rest: [FoundFile] = []
        for file in open {
            if let index = byStamp[file.stamp], !claimed[index] {
                claimed[index] = true
                moved.append((known[index].id, file))
            } else {
                rest.append(file)
            }
        }
        for file in rest {
            if let index = byPath[file.path], !claimed[index] {
                claimed[index] = true
                changed.append((known[index].id, file))
            } else {
                new.append(file)
            }
        }
        for (index, row) in known.enumerated() where !claimed[index] && row.isAvailable { vanished.append(row.id) }
    }
}
