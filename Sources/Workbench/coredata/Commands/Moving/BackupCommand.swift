import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// `backup`: copies an application's folder with its stores while they are in use, verifies copies and restores them.
struct BackupCommand: Command {
    let syntax = CommandSyntax(
        name: ["backup"],
        summary:
            "Backs up an application's folder with its stores while programs use them; verifies and restores backups.",
        operands: [CommandOperand(name: "FOLDER", help: "The folder to back up; with --verify or --restore a backup.")],
        options: [
            Option("output", letter: "o", value: "COPY", help: "The new folder of the backup, or to restore it to."),
            Option("verify", help: "Read the backup FOLDER through, and compare it with its list."),
            Option("restore", help: "Restore the backup FOLDER to the new folder COPY."),
            .format([.table, .json]),
        ],
        details: [
            "Each database of SQLite is copied as it is at one moment, with its log and the files of large values.",
            "Left out are files and folders that a program has excluded (BackupExclusion), folders named Caches, tmp, .cache "
                + "or .build, and those with a CACHEDIR.TAG.",
            "json is {\"files\", \"databases\", \"bytes\", \"omitted\", \"warnings\"}.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let folder = arguments.path(0)
        guard !(arguments.has("verify") && arguments.has("restore")) else {
            throw InspectionError(
                .badValue, subject: "--verify", cause: "a backup is verified when it is restored",
                hint: "leave --verify out")
        }
        let target = arguments["output"].map { URL(fileURLWithPath: $0) }
        guard (target == nil) == arguments.has("verify") else {
            throw InspectionError(
                .badValue, subject: "-o",
                cause: arguments.has("verify") ? "verifying writes nothing" : "it is not said where to write",
                hint: arguments.has("verify") ? "leave -o out" : "give the name of a new folder: -o COPY")
        }
        let summary: ApplicationBackup.Summary
        do {
            switch target {
            case nil: summary = try ApplicationBackup.verify(folder)
            case let target? where arguments.has("restore"): summary = try ApplicationBackup.restore(folder, to: target)
            case let target?: summary = try ApplicationBackup.make(of: folder, to: target)
            }
        } catch let error as BackupError {
            throw InspectionError(.unreadable, subject: PrintableText.escaped(folder.path), cause: error.reason)
        }
        report(summary, arguments, output)
    }

    private func report(_ summary: ApplicationBackup.Summary, _ arguments: Arguments, _ output: StandardOutput) {
        guard arguments.format != .json else {
            return output.line(
                JSONWriter.line(
                    .object([
                        ("files", .count(summary.files)), ("databases", .count(summary.databases)),
                        ("bytes", .count(summary.bytes)), ("omitted", .array(summary.omitted.map { .string($0) })),
                        ("warnings", .array(summary.warnings.map { .string($0) })),
                    ])))
        }
        for text in summary.omitted { output.line("left out: \(PrintableText.escaped(text))") }
        for text in summary.warnings { StandardError.write("\(Release.name): warning: \(PrintableText.escaped(text))") }
        output.say("\(summary.files) files, \(summary.databases) databases, \(summary.bytes) bytes")
    }
}
