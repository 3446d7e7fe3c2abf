import CoreDataModelCompiler

/// The command line with which the build plugin runs the model compiler.
///
/// ```
/// coredata-modelc model MODEL --module NAME --compiled PATH.momd --sources FOLDER [--file NAME]…
/// coredata-modelc mapping MAPPING --compiled PATH.cdm [--model MODEL]…
/// coredata-modelc module --sources FOLDER [--name NAME --list FILE --compiler PATH --work FOLDER] [MODEL]…
/// ```
///
/// `--list` names a file that lists the module's Swift sources (`SourceList`), `--work` a folder that persists between
/// builds.
package enum BuildCommand {
    /// Runs the command that the arguments name.
    ///
    /// - Returns: the exit status: 0, 1 after an error, 2 for invalid arguments. `report` receives each diagnostic.
    package static func run(_ words: [String], report: (String) -> Void) -> Int32 {
        do {
            var words = BuildWords(words)
            switch words.next() {
            case "model": return try runModel(&words, report)
            case "mapping": return try runMapping(words, report)
            case "module": return try runModule(words, report)
            default: throw BuildWords.Misuse()
            }
        } catch let error as ModelingError {
            report(diagnostic(error))
            return 1
        } catch let failure as CompilerRun.Failure {
            report(failure.description)
            return 1
        } catch is BuildWords.Misuse {
            report(usage)
            return 2
        } catch {
            report("error: \(PrintableText.escaped(error.localizedDescription))")
            return 1
        }
    }

    private static func runModel(_ words: inout BuildWords, _ report: (String) -> Void) throws -> Int32 {
        guard words.operands.count == 1 else { throw BuildWords.Misuse() }
        let model = URL(fileURLWithPath: words.operands[0])
        let diagnostics = try ModelBuild(model: model, module: words.value("module")).run(
            compiled: words.url("compiled"), sources: words.url("sources"), announced: words.values("file"))
        for diagnostic in diagnostics { report(diagnostic.description) }
        return diagnostics.contains { $0.severity == .error } ? 1 : 0
    }

    private static func runMapping(_ words: BuildWords, _ report: (String) -> Void) throws -> Int32 {
        guard words.operands.count == 1 else { throw BuildWords.Misuse() }
        let build = MappingBuild(
            mapping: URL(fileURLWithPath: words.operands[0]),
            models: words.values("model").map(URL.init(fileURLWithPath:)))
        for diagnostic in try build.run(compiled: words.url("compiled")) { report(diagnostic.description) }
        return 0
    }

    private static func runModule(_ words: BuildWords, _ report: (String) -> Void) throws -> Int32 {
        let models = words.operands.map(URL.init(fileURLWithPath:))
        var sources: ModuleBuild.Sources?
        if let list = words.values("list").first {
            sources = ModuleBuild.Sources(
                module: try words.value("name"), list: SourceList(try String(contentsOfFile: list, encoding: .utf8)),
                compiler: try words.url("compiler"), work: try words.url("work"))
        }
        let findings = try ModuleBuild(models: models, sources: sources).run(into: words.url("sources"))
        for finding in findings { report(finding.description) }
        return findings.isEmpty ? 0 : 1
    }

    private static func diagnostic(_ error: ModelingError) -> String {
        ModelCompilation.Diagnostic(
            severity: .error, path: error.path ?? "coredata-modelc", line: error.line, column: error.column,
            text: error.hint.map { "\(error.cause) (\($0))" } ?? error.cause
        ).description
    }

    private static let usage = """
        usage: coredata-modelc model MODEL --module NAME --compiled PATH.momd --sources FOLDER [--file NAME]…
               coredata-modelc mapping MAPPING --compiled PATH.cdm [--model MODEL]…
               coredata-modelc module --sources FOLDER [--name NAME --list FILE --compiler PATH --work FOLDER] [MODEL]…
        """
}
