import CoreData
import CoreDataModelCompiler

/// Writes a model in another form, and reports what that form cannot express.
///
/// Invariants:
/// 1. What is at a path is never replaced.
/// 2. Nothing is seen at the path before it was read back and found to have the version hashes of the original, unless
///    `allowsOtherHashes` is set.
/// 3. What the result does not say though the original does is among the losses.
package struct ModelConversion {
    private let origin: ModelOrigin
    private let target: URL
    private let form: ModelForm
    /// The versions to write; the first is the current one.
    private let versions: [ModelVersion]
    private var losses = ModelLosses()
    /// The entities and properties of which a source in Swift does not say something, as `losses` already has it.
    private var unsaid: Set<String> = []

    /// Whether the result may have other version hashes than the original.
    package var allowsOtherHashes = false
    /// Reads the versions of a source in Swift; needed for that form.
    package var readSource: (URL) throws -> [ModelVersion] = { _ in [] }
    /// What the result does not say; complete after `run`, also if that throws for other hashes.
    package var lostItems: [String] { losses.lines }

    /// Plans a conversion of all versions, or of one where the form holds but one or a name says so.
    ///
    /// - Throws: `InspectionError`.
    package init(_ origin: ModelOrigin, version name: String?, to target: URL) throws {
        self.origin = origin
        self.target = target
        form = try ModelForm(of: target)
        guard (try? FileManager.default.attributesOfItem(atPath: target.path)) == nil else {
            throw InspectionError(
                .unreadable, subject: target.path, cause: "it exists already", hint: "choose another name")
        }
        let chosen = try origin.version(name)
        let isWhole = form.isPackage && name == nil
        if isWhole, let (name, reason) = origin.unreadable.first {
            throw InspectionError(
                .unreadable, subject: origin.url.path, cause: "version '\(name)' cannot be read: \(reason)",
                hint: "choose a single version with --version")
        }
        let others = origin.versions.filter { $0.name != chosen.name }
        versions = isWhole ? [chosen] + others : [chosen]
        if !isWhole, !others.isEmpty {
            losses.add("the other versions: " + others.map { "'\($0.name)'" }.joined(separator: ", "))
        }
    }

    /// Writes the result; `lostItems` then has what it does not say.
    ///
    /// - Throws: `InspectionError`, or the error of writing; there is then nothing at the path.
    package mutating func run() throws {
        let folder = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent.prefix(100)).\(UUID().uuidString).draft")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            throw InspectionError(.unreadable, subject: target.path, cause: "the folder around it cannot be written to")
        }
        let temporary = folder.appendingPathComponent(target.lastPathComponent)
        try write(to: temporary)
        try check(temporary)
        guard rename(temporary.path, target.path) == 0 else {
            throw InspectionError(.unreadable, subject: target.path, cause: String(cString: strerror(errno)))
        }
    }

    // MARK: Writing

    private mutating func write(to temporary: URL) throws {
        switch form {
        case .report:
            losses.add("the form itself: it is for people and programs to read, and no model is made of it again")
            try Data((JSONWriter.lines(versions[0].report) + "\n").utf8).write(to: temporary)
        case .compiled: try versions[0].model.compiledData().write(to: temporary)
        case .compiledPackage:
            let models = Dictionary(versions.map { ($0.name, $0.model) }, uniquingKeysWith: { first, _ in first })
            try CompiledModelPackage(versions: models, currentVersion: versions[0].name).write(to: temporary)
        case .source:
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
            try document(of: versions[0]).data.write(to: temporary.appendingPathComponent("contents"))
        case .sourcePackage: try writePackage(to: temporary)
        case .swiftSource: try writeSwift(to: temporary)
        }
    }

    private mutating func writePackage(to temporary: URL) throws {
        let current = versions[0]
        let package = try SourcePackage.create(at: temporary, version: current.name, document: document(of: current))
        for version in versions.dropFirst() {
            try package.add(version.name, copyOf: current.name)
            try package.write(document(of: version), to: version.name)
        }
    }

    /// The source as its author wrote it, or one that describes the model.
    private mutating func document(of version: ModelVersion) throws -> ModelDocument {
        if let document = try? ModelDocument(at: version.url) { return document }
        let (document, losses) = ModelDocument.describing(version.model)
        for loss in losses { self.losses.add(loss) }
        return document
    }

    private mutating func writeSwift(to temporary: URL) throws {
        let version = versions[0]
        let source = SwiftModelSource(
            of: version.model, title: "The models of \(origin.url.lastPathComponent), version '\(version.name)'.")
        let document = try? ModelDocument(at: version.url)
        let file = (try? ModelLocation(version.url))?.file.path ?? version.url.path
        for loss in source.losses {
            if let subject = loss.subject { unsaid.insert(subject) }
            let place = document?.place(of: loss).map { "\(file):\($0.line):\($0.column): " } ?? ""
            losses.add(place + loss.sentence)
        }
        try Data(source.text.utf8).write(to: temporary)
    }

    // MARK: Reading back

    private mutating func check(_ temporary: URL) throws {
        guard form != .report else { return }
        let result = form == .swiftSource ? try readSource(temporary) : try ModelPackage(at: temporary).versions
        for version in versions {
            let isOnly = versions.count == 1
            guard let copy = result.first(where: { isOnly || $0.name == version.name }) else {
                throw InspectionError(
                    .modelMismatch, subject: target.path, cause: "version '\(version.name)' cannot be read back")
            }
            let difference = ModelDifference(from: version.model, to: copy.model)
            guard allowsOtherHashes || difference.entitiesWithOtherHash.isEmpty else {
                let names = difference.entitiesWithOtherHash.prefix(10).joined(separator: ", ")
                throw InspectionError(
                    .modelMismatch, subject: target.path,
                    cause: "the result would have other version hashes in: \(names)",
                    hint: form == .swiftSource
                        ? "nothing was written; with --lossy it is, and stores are migrated" : "nothing was written")
            }
            losses.add(difference, except: unsaid)
            if form == .compiled || form == .compiledPackage, (try? ModelDocument(at: version.url)) != nil {
                losses.add("the source's header and comments, and the layout of the editor")
            }
        }
    }
}

extension ModelDocument {
    /// The place of what a source in Swift does not say.
    fileprivate func place(of loss: SwiftModelLoss) -> SourcePlace? {
        guard let entity = loss.entity else { return root.place }
        let path = ModelPath.entity(entity)
        guard let property = loss.property else { return element(at: path)?.place }
        return ["attribute", "relationship", "fetchedProperty"].lazy
            .compactMap { element(at: path.step($0, property))?.place }.first
    }
}

/// What a form cannot say, each thing once.
package struct ModelLosses {
    private static let shown = 3
    private var texts: [String] = []
    private var items: [(aspect: String, names: [String])] = []

    mutating func add(_ text: String) {
        if !texts.contains(text) { texts.append(text) }
    }

    /// Takes in what the original says and the result does not.
    mutating func add(_ difference: ModelDifference, except known: Set<String> = []) {
        for change in difference.changes where !known.contains(change.item.path) {
            let path = change.item.kind == .model ? "the model" : "'\(change.item.path)'"
            for aspect in change.aspects { add(aspect.name, path) }
            switch change.action {
            case .removed: add("the \(change.item.kind.rawValue)", path)
            case .added: add("the absence of the \(change.item.kind.rawValue)", path)
            case .renamed, .moved: add("the name", path)
            case .changed: break
            }
        }
    }

    private mutating func add(_ aspect: String, _ name: String) {
        if let index = items.firstIndex(where: { $0.aspect == aspect }) {
            if !items[index].names.contains(name) { items[index].names.append(name) }
        } else {
            items.append((aspect, [name]))
        }
    }

    /// A line for each; things of one kind share a line.
    package var lines: [String] {
        texts
            + items.map { aspect, names in
                let shown = names.prefix(Self.shown).joined(separator: ", ")
                let rest = names.count > Self.shown ? " and \(names.count - Self.shown) more" : ""
                return "\(aspect) of \(shown)\(rest)"
            }
    }
}
