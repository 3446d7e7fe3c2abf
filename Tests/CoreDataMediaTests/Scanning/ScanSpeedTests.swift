import CoreData
import CoreDataMedia
import CoreDataTesting
import Foundation
import ProgramKit
import TestBasics
import Testing

/// Measures with many files; those of 100,000 files run in `make soak`.
@Suite("Speed of scans", .enabled(if: MediaTools.areThere, MediaTools.comment))
struct ScanSpeedTests {
    /// Copies of some songs that differ in their last byte.
    private func fill(_ folder: URL, count: Int, forms: [String]) throws {
        let plain = try forms.map { form in
            let url = folder.deletingLastPathComponent().appendingPathComponent("plain.\(form)")
            try MediaTools.sound(url, seconds: 2, tags: TagTests.tags)
            return try (form, Data(contentsOf: url))
        }
        for index in 0..<count {
            let (form, data) = plain[index % plain.count]
            let home = folder.appendingPathComponent("Album \(index / 100)")
            if index.isMultiple(of: 100) {
                try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            }
            try (data + withUnsafeBytes(of: UInt32(index)) { Data($0) }).write(
                to: home.appendingPathComponent("Song \(index).\(form)"))
        }
    }

    @Test(
        "MEDIA-01: a first scan runs few programs: 600 songs of five formats take less time than 600 runs of ffprobe would"
    )
    func firstScanIsFast() throws {
        let bench = try LibraryBench()
        try fill(bench.folder, count: 600, forms: ["mp3", "flac", "m4a", "ogg", "opus"])
        let report = try bench.scan()
        #expect(report.added == 600 && report.problems.isEmpty)
        print("first scan: \(Int(600 / report.seconds)) files/s")
        let song = bench.url("Album 0/Song 0.mp3").path
        let start = ContinuousClock.now
        for _ in 0..<10 {
            _ = try HelperProgram("ffprobe", package: "ffmpeg").run(["-v", "error", "-show_format", song])
        }
        let one = (ContinuousClock.now - start) / 10
        #expect(Duration.seconds(report.seconds) < one * 600)
    }

    @Test(
        "MEDIA-01: a scan that finds all as it was reads the rows by a few statements, however many, faults no object and saves nothing"
    )
    func unchangedFilesCostFewStatements() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MPMediaLibrary.managedObjectModel)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("L.sqlite"))
        let library = try MPMediaLibrary(coordinator: coordinator)
        let music = folder.url.appendingPathComponent("Music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        var counts: [Int] = []
        for size in [10, 300] {
            try fill(music, count: size, forms: ["flac"])
            _ = try library.scanAndWait(music)
            let before = library.lastModifiedDate
            let (activity, report) = try coordinator.activity { try library.scanAndWait(music) }
            #expect(report.unchanged == size && !report.hasChanges && library.lastModifiedDate == before)
            #expect(activity.faults.isEmpty && activity.saves == 0)
            #expect(activity.statements.allSatisfy { $0.sql.hasPrefix("SELECT") }, "\(activity.statements)")
            counts.append(activity.statements.count)
        }
        #expect(counts == [3, 3], "\(counts)")
    }

    @Test(
        "MEDIA-01: 100,000 unchanged files are scanned at least five times faster than exiftool reads them",
        .enabled(if: TestSeed.isExhaustive, "in make soak"))
    func unchangedFilesAreFast() throws {
        let bench = try LibraryBench()
        try fill(bench.folder, count: 100_000, forms: ["flac", "mp3"])
        let first = try bench.scan()
        #expect(first.added == 100_000)
        let second = try bench.scan()
        #expect(second.unchanged == 100_000 && !second.hasChanges)
        let start = ContinuousClock.now
        let limits = ProgramLimits(seconds: 2_000, processorSeconds: 2_000, output: 1 << 30)
        _ = try MediaTools.exiftool.run(["-r", "-q", "-X", "-Title", "-Artist", bench.folder.path], limits: limits)
        let tool = ContinuousClock.now - start
        print("first \(first.seconds) s, unchanged \(second.seconds) s, exiftool \(tool)")
        #expect(Duration.seconds(second.seconds) * 5 < tool)
    }
}
