import CoreDataModeling

/// Compiles all versions of a model, as Apple's model compiler does for an `.xcdatamodeld`.
///
/// The result depends only on the contents of models, not on the editor's layout; equal models give equal bytes.
package struct ModelCompilation {
    /// An error or warning at a position in a model's source, in the form of compilers' messages.
    package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
        package enum Severity: String, Hashable, Sendable {
            case error
            case warning
        }

        package let severity: Severity
        package let path: String
        package let line: Int?
        package let column: Int?
        package let text: String

        package init(severity: Severity, path: String, line: Int?, column: Int?, text: String) {
            (self.severity, self.path, self.line, self.column, self.text) = (severity, path, line, column, text)
        }

        /// `path:line:column: error: text`.
        package var description: String {
            let place = [path, line.map(String.init), column.map(String.init)].compactMap(\.self)
            return PrintableText.escaped("\(place.joined(separator: ":")): \(severity.rawValue): \(text)")
        }
    }

    package let url: URL
    /// The errors and warnings of all versions; every version is read, even if others have errors.
    package private(set) var diagnostics: [Diagnostic] = []
    private var models: [String: NSManagedObjectModel] = [:]
    private var current: String?

    /// The model of the current version; nil if it has errors.
    package var currentModel: NSManagedObjectModel? { current.flatMap { models[$0] } }

    /// Reads all versions of a model.
    ///
    /// If `version` is not nil, it is the current version instead of the one that the model names.
    package init(of url: URL, version: String?) {
        self.url = url
        for file in ModelLocation.versions(in: url) {
            if let model = read(file) { models[ModelLocation.versionName(of: file)] = model }
        }
        findCurrent(version)
    }

    package var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }

    /// The number of versions that could be read.
    package var count: Int { models.count }

    /// Writes the compiled model, and replaces an existing one.
    ///
    /// A file with the extension `mom` gets the current version; any other target becomes a `.momd` with all versions.
    /// - Throws: `ModelingError` if there were errors or writing fails; an existing model is then unchanged.
    package func write(to target: URL) throws {
        guard target.pathExtension == "mom" else { return try compiledPackage().write(to: target) }
        let model = try checkedModel().model
        try Self.checkPlace(target)
        try AtomicFile.write(model.compiledData(), to: target)
    }

    /// The versions as a `.momd` folder, which applications load.
    ///
    /// - Throws: `ModelingError` if there were errors.
    package func compiledPackage() throws -> CompiledModelPackage {
        try CompiledModelPackage(versions: models, currentVersion: checkedModel().version)
    }

    private func checkedModel() throws -> (version: String, model: NSManagedObjectModel) {
        guard errors.isEmpty, let current, let model = models[current] else {
            throw ModelingError(.invalidModel, "it has errors").at(path: url.path)
        }
        return (current, model)
    }

    /// Sets the class names of all entities of all versions to names with their module.
    package func qualifyClasses(module: String) {
        for entity in models.values.flatMap(\.entities) {
            guard let name = ModelClasses.qualifiedName(of: entity, module: module) else { continue }
            entity.managedObjectClassName = name
        }
    }

    /// Throws if an existing file is not a compiled model, which must not be replaced.
    private static func checkPlace(_ target: URL) throws {
        guard FileManager.default.fileExists(atPath: target.path) else { return }
        if let place = try? ModelLocation(target), place.form == .compiled, place.file == target { return }
        throw ModelingError(
            .unwritable, "there is something else than a compiled model", hint: "choose another name"
        ).at(path: target.path)
    }

    // MARK: Reading

    private mutating func read(_ file: URL) -> NSManagedObjectModel? {
        do {
            let location = try ModelLocation(file)
            guard location.form == .source else { return try NSManagedObjectModel(reading: file) }
            let path = location.file.path
            return try read(ModelDocument(at: file), path)
        } catch let error as ModelingError {
            report(
                .error, path: error.path ?? file.path, line: error.line, column: error.column, text: Self.text(error))
        } catch {
            let reason = (error as NSError).userInfo[NSLocalizedFailureReasonErrorKey] as? String
            let text = (reason ?? error.localizedDescription).replacing("\(file.path): ", with: "")
            report(.error, path: file.path, line: nil, column: nil, text: text)
        }
        return nil
    }

    private mutating func read(_ document: ModelDocument, _ path: String) throws -> NSManagedObjectModel? {
        let findings = ModelCheck.findings(in: document)
        do {
            let (model, notes) = try document.makeModel()
            for note in notes {
                let text = "'\(note.text)' is not understood and not compiled"
                report(.warning, path: path, line: note.place.line, column: note.place.column, text: text)
            }
            // Findings that do not prevent reading a model are only warnings, since they do not prevent compiling it
            // either.
            report(findings.filter { $0.rule.severity != .note }, as: .warning, path)
            return model
        } catch let error as ModelingError {
            let causes = findings.filter { $0.rule.severity == .error }
            guard !causes.isEmpty else { throw error.at(path: path) }
            report(causes, as: .error, path)
            return nil
        }
    }

    private mutating func report(_ findings: [ModelFinding], as severity: Diagnostic.Severity, _ path: String) {
        for finding in findings {
            let text = "\(finding.sentence) (\(finding.hint ?? finding.rule.remedy)) [\(finding.rule.identifier)]"
            report(severity, path: path, line: finding.place?.line, column: finding.place?.column, text: text)
        }
    }

    private static func text(_ error: ModelingError) -> String {
        error.hint.map { "\(error.cause) (\($0))" } ?? error.cause
    }

    private mutating func findCurrent(_ version: String?) {
        do {
            let location = version == nil ? try ModelLocation(url) : nil
            current = version ?? location.map { ModelLocation.versionName(of: $0.file) }
            if let warning = location?.warning {
                report(
                    .warning, path: url.path, line: nil, column: nil,
                    text: "\(warning) (name it with 'coredata model versions')")
            }
        } catch {
            guard errors.isEmpty else { return }
            let cause = (error as? ModelingError)?.cause ?? error.localizedDescription
            report(
                .error, path: url.path, line: nil, column: nil,
                text: "\(cause) (name the current version with --version)")
        }
        guard let current, models[current] == nil, errors.isEmpty else { return }
        let names = models.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        report(
            .error, path: url.path, line: nil, column: nil,
            text: "there is no version '\(current)' (there are \(names))")
    }

    private mutating func report(
        _ severity: Diagnostic.Severity, path: String, line: Int?, column: Int?, text: String
    ) {
        diagnostics.append(
            Diagnostic(severity: severity, path: path, line: line, column: column, text: text))
    }
}
