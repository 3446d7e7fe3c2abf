import CoreData
import Foundation
import ProgramKit

/// One scan of a folder: finding, comparing, reading in batches, and saving each batch.
struct MediaScan {
    /// How many files one run of `exiftool` reads: starting it takes as long as reading a hundred.
    private static let batch = 400

    let library: MPMediaLibrary
    let root: BytePath
    let progress: Progress?
    var report = MediaScanReport()
    private(set) var folders: [BytePath] = []
    /// The persistent identifiers of all items, once new ones are made.
    private var identifiers: Set<Int64>?
    private var claimed: Set<NSManagedObjectID> = []
    private var missing: Set<HelperProgram> = []

    init(library: MPMediaLibrary, root: BytePath, progress: Progress?) {
        (self.library, self.root, self.progress) = (library, root, progress)
    }

    private var isCancelled: Bool { progress?.isCancelled ?? false }

    mutating func run() throws {
        var walk = FileWalk(root, skipping: library.ownPaths)
        try walk.read { progress?.isCancelled ?? false }
        for folder in walk.unreadable { report.add(folder, "The folder cannot be read; check its permissions") }
        folders = walk.folders
        report.files = walk.files.count
        let folder = try library.perform { try ScanRows.folder(root, in: $0) }
        let known = try library.perform { try ScanRows.known(MediaModel.item, of: folder, in: $0) }
        let plan = ScanPlan(found: walk.files.filter { $0.form == .media }, known: known)
        report.unchanged = plan.unchanged
        try apply(plan, folder)
        try readFiles(plan, folder)
        let isLinking = report.added + report.moved + report.returned > 0
        try readPlaylists(walk.files.filter { $0.form == .playlist }, folder, isLinking: isLinking)
        report.missingPackages = Set(missing.map(\.package)).sorted()
        // A scan that finds all as it was writes nothing.
        guard report.hasChanges else { return }
        let finished = Date()
        try library.perform { context in
            context.object(with: folder).setValue(finished, forKey: "lastScan")
            try context.save()
        }
    }

    /// What the file system alone decides. Vanished rows are marked last, since reading may find their files.
    private mutating func apply(_ plan: ScanPlan, _ folder: NSManagedObjectID) throws {
        (report.returned, report.moved) = (plan.returned.count, plan.moved.count)
        guard report.returned + report.moved > 0 else { return }
        try library.perform { context in
            for id in plan.returned { context.object(with: id).setValue(true, forKey: "isAvailable") }
            for (id, file) in plan.moved { ScanRows.place(context.object(with: id), file) }
            if context.hasChanges { try context.save() }
        }
        claimed.formUnion(plan.moved.map(\.row))
    }

    private mutating func readFiles(_ plan: ScanPlan, _ folder: NSManagedObjectID) throws {
        let work =
            plan.changed.map { ScanWork(file: $0.file, row: $0.row) } + plan.new.map { ScanWork(file: $0, row: nil) }
        progress?.totalUnitCount = Int64(work.count)
        claimed.formUnion(plan.changed.map(\.row))
        let width = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount))
        let size = max(1, min(Self.batch, (work.count + width - 1) / width))
        var readings: [ScanReading] = []
        // What runs reads links that it removes at its end.
        defer { for reading in readings { reading.wait() } }
        func saveFirst() throws {
            let reading = readings.removeFirst()
            let read = try reading.result()
            missing.formUnion(read.missing)
            try save(read.work, folder)
            progress?.completedUnitCount += Int64(read.work.count)
        }
        for start in stride(from: 0, to: work.count, by: size) {
            if isCancelled { throw CancellationError() }
            // One more than there are processors, which are busy while a batch is saved.
            if readings.count > width { try saveFirst() }
            let batch = Array(work[start..<min(start + size, work.count)])
            readings.append(ScanReading(batch, in: root, missing: missing, progress: progress))
        }
        while !readings.isEmpty { try saveFirst() }
        let claimed = claimed
        let gone = plan.vanished.filter { !claimed.contains($0) }
        report.vanished = gone.count
        guard !gone.isEmpty else { return }
        try library.perform { context in
            for id in gone { context.object(with: id).setValue(false, forKey: "isAvailable") }
            if context.hasChanges { try context.save() }
        }
    }

    /// Saves what was read, and joins new files with rows whose files have vanished.
    private mutating func save(_ work: [ScanWork], _ folder: NSManagedObjectID) throws {
        var (report, claimed, identifiers) = (report, claimed, identifiers)
        try library.perform { context in
            let home = context.object(with: folder)
            if identifiers == nil { identifiers = try ScanRows.identifiers(in: context) }
            var known = identifiers ?? []
            let orphans = try ScanRows.orphans(of: work.filter { $0.row == nil }.compactMap(\.hash), in: context)
            var pictures = ArtworkRows(context)
            for item in work {
                let found =
                    item.row.map { context.object(with: $0) }
                    ?? item.hash.flatMap { hash in
                        orphans[hash]?.first { !claimed.contains($0.objectID) }
                    }
                if found == nil {
                    report.added += 1
                } else if item.row == nil {
                    report.moved += 1
                } else {
                    report.changed += 1
                }
                let row = found ?? ScanRows.insert(item.hash, &known, in: context)
                if found != nil { claimed.insert(row.objectID) }
                row.setValue(home, forKey: "folder")
                ScanRows.fill(row, item)
                try pictures.set(item.artwork, of: row)
                if let problem = item.facts.problem { report.add(item.file.path, problem) }
            }
            identifiers = known
            try context.save()
        }
        (self.report, self.claimed, self.identifiers) = (report, claimed, identifiers)
    }

    private mutating func readPlaylists(_ files: [FoundFile], _ folder: NSManagedObjectID, isLinking: Bool) throws {
        let (library, root) = (library, root)
        var report = report
        try library.perform { context in
            let known = try ScanRows.known(MediaModel.playlist, of: folder, in: context)
            let plan = ScanPlan(found: files, known: known)
            var rows = PlaylistRows(root: root, folder: context.object(with: folder), context: context)
            report.unchanged += plan.unchanged
            for id in plan.returned { context.object(with: id).setValue(true, forKey: "isAvailable") }
            for id in plan.vanished { context.object(with: id).setValue(false, forKey: "isAvailable") }
            for (id, file) in plan.moved + plan.changed { try rows.read(file, into: context.object(with: id), &report) }
            for file in plan.new { try rows.read(file, into: nil, &report) }
            if isLinking { try rows.linkMissing() }
            if context.hasChanges { try context.save() }
        }
        self.report = report
    }
}
