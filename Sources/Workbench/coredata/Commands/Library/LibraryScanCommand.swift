import CoreDataMedia
import CoreDataPrinting
import CoreDataWorkbench
import Dispatch
import Foundation
import Synchronization

/// `library scan`: reads a folder of sound and film into a media library.
struct LibraryScanCommand: Command {
    let syntax = CommandSyntax(
        name: ["library", "scan"],
        summary: "Reads the sound, film and playlists of a folder into a media library, whose rows follow their files.",
        operands: [CommandOperand(name: "FOLDER", help: "A folder of files, which are never written.")],
        options: [
            LibraryPlace.option,
            Option("watch", help: "Go on, and scan again whenever something in the folder changes, until interrupted."),
            .format([.table, .json]),
        ],
        details: [
            "Tags and pictures are read by 'exiftool' (package libimage-exiftool-perl), streams and lengths by 'ffprobe' (package ffmpeg) where "
                + "the headers of files do not state them; without them less is known of the files.",
            "A file of which path, size, time and number are those of the last scan is not opened. Rows of renamed, moved and tagged files "
                + "keep their identifiers and counts, and rows of files that are gone stay.",
            "json is an object with the counts, {\"problems\": [{\"path\", \"reason\"}]}, and the seconds that it took; with --watch a line for each scan.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let library = try LibraryPlace.open(arguments, makes: true)
        let folder = arguments.path(0)
        let progress = Progress(totalUnitCount: 0)
        let stopped = DispatchSemaphore(value: 0)
        let interruption = Interruption {
            progress.cancel()
            stopped.signal()
        }
        defer { interruption.end() }
        guard arguments.has("watch") else {
            do {
                return Self.print(try library.scanAndWait(folder, progress: progress), arguments, output)
            } catch is CancellationError {
                throw InspectionError(
                    .unreadable, subject: folder.path, cause: "the scan was interrupted",
                    hint: "scan again: what was read stays")
            }
        }
        // The watch reports on its own queue; the output belongs to this thread.
        let reports = Mutex<[Result<MediaScanReport, any Error>]>([])
        let watch = library.watch(folder) { result in
            reports.withLock { $0.append(result) }
            stopped.signal()
        }
        defer { watch.end() }
        while !progress.isCancelled {
            stopped.wait()
            for result in reports.withLock({ reports in
                defer { reports = [] }
                return reports
            }) {
                switch result {
                case .success(let report): Self.print(report, arguments, output)
                case .failure(let error): StandardError.write("\(Release.name): \(PrintableText.escaped("\(error)"))")
                }
            }
            try output.flush()
            try output.checkReader()
        }
    }

    private static func print(_ report: MediaScanReport, _ arguments: Arguments, _ output: StandardOutput) {
        if arguments.format == .json {
            let json = json(report)
            return output.line(arguments.has("watch") ? JSONWriter.line(json) : JSONWriter.lines(json))
        }
        output.line(
            "\(report.files) files: \(report.added) added, \(report.changed) changed, \(report.moved) moved, "
                + "\(report.vanished) vanished, \(report.returned) returned, \(report.unchanged) unchanged, "
                + "\(report.playlists) playlists read")
        for problem in report.problems {
            StandardError.write(
                "\(Release.name): warning: \(PrintableText.escaped(problem.path)): \(PrintableText.escaped(problem.reason))"
            )
        }
        if report.problemCount > report.problems.count {
            StandardError.write(
                "\(Release.name): warning: \(report.problemCount - report.problems.count) further files")
        }
        for package in report.missingPackages {
            StandardError.write("\(Release.name): warning: less is read of the files without the package \(package)")
        }
    }

    private static func json(_ report: MediaScanReport) -> JSONValue {
        .object([
            ("files", .count(report.files)), ("added", .count(report.added)), ("changed", .count(report.changed)),
            ("moved", .count(report.moved)), ("vanished", .count(report.vanished)),
            ("returned", .count(report.returned)),
            ("unchanged", .count(report.unchanged)), ("playlists", .count(report.playlists)),
            ("problemCount", .count(report.problemCount)),
            (
                "problems",
                .array(report.problems.map { .object([("path", .string($0.path)), ("reason", .string($0.reason))]) })
            ),
            ("missingPackages", .array(report.missingPackages.map { .string($0) })), ("seconds", .real(report.seconds)),
        ])
    }
}
