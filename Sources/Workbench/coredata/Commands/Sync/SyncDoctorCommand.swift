import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync doctor`: examines a store that takes part, its transport and its device.
struct SyncDoctorCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "doctor"],
        summary:
            "Examines a store that takes part in sync, its transport and its device, and says what is wrong and what to do.",
        operands: [.store],
        options: [
            .folder,
            Option("repair", help: "Capture as edits what was changed in the store and is not in its history."), .model,
            .format([.table, .json]),
        ],
        details: [
            "The rows are compared with what sync knows of them, all items are read, and it is seen whether peers are heard of, clocks are "
                + "right, the file beside the store fits, keys are private, and disks have room. Nothing is changed without --repair.",
            "json is {\"sound\", \"capturedRows\", \"counts\", \"findings\": [{\"kind\", \"subject\", \"message\", \"cure\"}]}; at most a "
                + "hundred findings of a kind are listed, and all are counted.",
            "Exit codes: 0 nothing is wrong, 1 there are findings, with --repair those that are left, 2 the store cannot be examined.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let isRepairing = arguments.has("repair")
        let result: SyncExamination
        do {
            result = try SyncedPlace(arguments).run { try await $0.examine(repairing: isRepairing) }
        } catch {
            throw ExitStatus(code: 2, cause: error)
        }
        if arguments.format == .json {
            output.line(JSONWriter.lines(Self.json(result)))
        } else {
            print(result, output)
        }
        if !result.isSound { throw ExitStatus(code: 1) }
    }

    private func print(_ result: SyncExamination, _ output: StandardOutput) {
        for finding in result.findings {
            let message = RunLanguage.text(PrintableText.escaped(finding.message))
            output.line("\(PrintableText.escaped(finding.subject)): \(message)")
            output.line("    " + RunLanguage.text(PrintableText.escaped(finding.cure)))
        }
        for (kind, count) in result.counts.sorted(by: { $0.key < $1.key }) {
            let more = count - result.findings.count { $0.kind.rawValue == kind }
            if more > 0 { output.say("\(kind): \(more) more") }
        }
        if result.capturedRows > 0 { output.say("captured as edits: \(result.capturedRows)") }
        if result.isSound { output.say("nothing is wrong") }
    }

    private static func json(_ result: SyncExamination) -> JSONValue {
        let findings = result.findings.map { finding in
            JSONValue.object([
                ("kind", .string(finding.kind.rawValue)), ("subject", .string(finding.subject)),
                ("message", .string(finding.message)), ("cure", .string(finding.cure)),
            ])
        }
        let counts = result.counts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.count($0.value)) }
        return .object([
            ("sound", .bool(result.isSound)), ("capturedRows", .count(result.capturedRows)),
            ("counts", .object(counts)),
            ("findings", .array(findings)),
        ])
    }
}
