import CoreDataJobs
import CoreDataMigrationPlanning
import CoreDataPrinting
import CoreDataWorkbench

/// `migrate`: migrates a store to another version of its model.
struct MigrateCommand: Command {
    let syntax = CommandSyntax(
        name: ["migrate"],
        summary:
            "Makes a store one of another version of its model, where it is, with a backup beside it; or prints what "
            + "that would do and lose.",
        operands: [.store],
        options: [
            Option(
                "to", value: "MODEL",
                help: CommandOperand.model.help + " Of several versions the current one is taken, or that of --version."
            ),
            Option("version", value: "NAME", help: "The version to migrate to; also an older one."),
            Option(
                "from", value: "MODEL",
                help:
                    "The model that the store was made with. Needed only for a store that keeps no model, and of which "
                    + "--to has no version with its hashes."),
            Option(
                "mapping", value: "PATH",
                help:
                    "A mapping model (.cdm or .xcmappingmodel) for what cannot be inferred; may be given several times. "
                    + "One with policies, which are code of the application, is refused. A path over other versions of the package is found where there is one.",
                isRepeated: true),
            Option(
                "configuration", value: "NAME",
                help: "The configuration whose entities the store keeps; by default, found by its hashes."),
            Option("plan", help: "Tell what would be done, what it would take and lose, and change nothing."),
            Option(
                "dry-run",
                help:
                    "Migrate a copy in the temporary folder, compare it with the store, validate all objects, and change "
                    + "nothing."),
            Option("sql", help: "Print the statements that would run, in their order, and change nothing."),
            Option("allow-loss", help: "Migrate although data would be lost."),
            Option("no-backup", help: "Make no copy of the store before it is changed."), scaffoldOption,
            .progress, .noProgress, .format([.table, .json]),
        ],
        details: [
            "The version that the store is of is the model that it keeps of itself, else the version of MODEL that has its "
                + "hashes, else --from. A store that is of the version already is left as it is.",
            "The backup is made beside the store and stays: Name-backup-20240229-120000.sqlite (UTC), with all that "
                + "belongs to the store. A file system that can share blocks between files needs no room for it.",
            "Without --allow-loss nothing is done if objects, values or links would be lost. A rename is not a loss where the "
                + "new version has the old name as renaming identifier.",
            "On a server no backup is made, and --dry-run is refused. --plan and --sql tell the locks of each statement; they are held until the end of the one "
                + "transaction, and rows are those of the server's statistics. Of several programs that migrate a store there at once one does, and the others find it done.",
            "An XML or binary store is one file, and is made anew, object by object: the new file is written beside it and "
                + "put in its place when it is whole, so the store is as it was or migrated. It keeps no model, so a "
                + "version of --to, or --from, must be the one that it is of. It gets another identity, and its objects "
                + "other identifiers. --plan migrates a copy in the temporary folder to find numbers that do not fit and "
                + "values that are there twice; its time is that of the copy. There are no statements: --sql is refused. "
                + "--dry-run compares the values of each attribute as a whole, and the numbers of objects and links.",
            "Time and room of --plan for other stores are reckoned from rows of the largest table that are read and "
                + "written on trial. --sql leaves out what is computed by code: derived attributes, the history, the kept model.",
            "--dry-run compares numbers of objects, of values that are not nil and of links, and sums of them in which the "
                + "object counts and the order does not; where a mapping model makes the objects, numbers alone.",
            "json is one object: \"result\" is upToDate, possible, losesData, refused or migrated, with --dry-run passed, "
                + "losesData or failed; \"store\", \"source\" "
                + "{name, origin, checksum}, \"destination\" {name, checksum}, \"configuration\"; \"path\" [{from, to, kind}], where the kind is lightweight or mapping; "
                + "\"steps\" [{kind, subject, rows}], of a server also locks [{table, mode, rewrites}] and seconds; \"rows\"; "
                + "\"keepsIdentity\", whether identity and identifiers stay; \"estimate\" {seconds, bytes, backupBytes}, null with "
                + "a mapping model for a SQLite file, with seconds null for XML and binary stores but with --plan; \"losses\" [{kind, "
                + "entity, name, reason, hint, count}], where a count of null is not known; \"collisions\" [{entity, "
                + "properties}]; \"remarks\"; \"refusal\" {code, reason, hint, items}; \"backup\", the path of it. "
                + "--dry-run adds \"seconds\", \"comparisons\" [{from, to, entities [{old, new, before, after, agrees}], "
                + "properties [{entity, name, kind, before, after, agrees}]}], \"validation\" {objects, invalid, failures "
                + "[{entity, property, code, objects}]} and \"faults\" of the file. With --sql "
                + "it is an array of {kind, subject, statement}, of a server also locks and seconds.",
            scaffoldDetail,
            "Exit codes: 0 done or possible; 1 refused or failed, with Core Data's code; 3 data would be lost, unless "
                + "--allow-loss is given.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try checkOptions(arguments)
        if arguments.has("scaffold") {
            return try scaffold(arguments.migration(), arguments: arguments, output: output)
        }
        let printer = MigrationPrinter(output: output, format: arguments.format, width: Terminal.width)
        let job = try MigrationJob(arguments.migration())
        try checkKind(of: job, arguments)
        let report = try MigrationPlanReport(job)
        if arguments.has("plan") {
            let tried = try arguments.progress("migrating a copy").showing { _ in try report.tried() }
            return try plan(tried, arguments: arguments, printer: printer)
        }
        if arguments.has("sql") { return try statements(report, printer) }
        if arguments.has("dry-run"), !job.isUpToDate, report.refusal == nil {
            return try dryRun(report, arguments: arguments, printer: printer)
        }
        guard !job.isUpToDate else {
            if !arguments.has("dry-run") { job.removeAbandonedStores() }
            return printer.printUpToDate(report)
        }
        if let refusal = report.refusal { throw refused(refusal, report: report, printer: printer) }
        if report.losesData, !arguments.has("allow-loss") {
            if arguments.format == .json { printer.print(report) }
            throw ExitStatus(code: 3, cause: report.lossRefusal)
        }
        do {
            let backup: StoreMigrationRun.Backup = arguments.has("no-backup") ? .none : .kept
            printer.print(
                try arguments.progress("migrating").showing { _ in try StoreMigrationRun(report, backup: backup) })
        } catch let refusal as MigrationRefusal {
            throw refused(refusal, report: report, printer: printer)
        }
    }

    private func plan(_ report: MigrationPlanReport, arguments: Arguments, printer: MigrationPrinter) throws {
        printer.print(report)
        if let refusal = report.refusal { throw ExitStatus(code: 1, cause: refusal) }
        if report.losesData, !arguments.has("allow-loss") {
            throw ExitStatus(code: 3, cause: printer.format == .json ? nil : report.lossRefusal)
        }
    }

    private func dryRun(_ report: MigrationPlanReport, arguments: Arguments, printer: MigrationPrinter) throws {
        let run: MigrationDryRun
        do {
            run = try arguments.progress("migrating a copy").showing { _ in try MigrationDryRun(report) }
        } catch let refusal as MigrationRefusal {
            throw refused(refusal, report: report, printer: printer)
        }
        printer.print(run)
        if !run.problems.isEmpty { throw ExitStatus(code: 1) }
        if report.losesData, !arguments.has("allow-loss") {
            throw ExitStatus(code: 3, cause: printer.format == .json ? nil : report.lossRefusal)
        }
    }

    private func statements(_ report: MigrationPlanReport, _ printer: MigrationPrinter) throws {
        if let refusal = report.refusal, report.path.isEmpty {
            throw refused(refusal, report: report, printer: printer)
        }
        printer.printStatements(report)
    }

    /// The exit status of a refusal, which is also printed to the output if that is JSON.
    private func refused(
        _ refusal: MigrationRefusal, report: MigrationPlanReport, printer: MigrationPrinter
    ) -> ExitStatus {
        if printer.format == .json { printer.print(refusal, of: report) }
        return ExitStatus(code: 1, cause: refusal)
    }

    /// Refuses options that the store's type does not support.
    private func checkKind(of job: MigrationJob, _ arguments: Arguments) throws {
        if arguments.has("dry-run"), job.isOnServer {
            throw InspectionError(
                .unreadable, subject: job.facts.url.place,
                cause: "--dry-run copies a store to the temporary folder, and this one is on a server",
                hint: "copy it to a file with 'coredata copy', and try the migration of that one")
        }
        if arguments.has("sql"), job.isWrittenWhole {
            throw InspectionError(
                .unreadable, subject: job.facts.url.place,
                cause:
                    "--sql prints statements, and a store of the kind \(job.facts.type.rawValue) is migrated without any",
                hint: "--plan tells what would be done")
        }
    }

    private func checkOptions(_ arguments: Arguments) throws {
        guard arguments.has("to") else { throw arguments.error("--to MODEL is missing") }
        let given = ["plan", "dry-run", "sql"].filter(arguments.has)
        guard given.count < 2 else { throw arguments.error("--\(given[0]) and --\(given[1]) contradict each other") }
        if let option = given.first, arguments.has("no-backup") {
            throw arguments.error("--no-backup goes with a migration, not with --\(option)")
        }
    }
}

extension Arguments {
    /// The migration that the options describe.
    fileprivate func migration() throws -> MigrationJob.Request {
        guard let model = self["to"] else { throw error("--to MODEL is missing") }
        var request = MigrationJob.Request(store: path(0), model: URL(fileURLWithPath: model))
        request.version = self["version"]
        request.origin = self["from"].map { URL(fileURLWithPath: $0) }
        request.configuration = self["configuration"]
        request.mappings = all("mapping").map { URL(fileURLWithPath: $0) }
        return request
    }
}
