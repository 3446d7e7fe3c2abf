import CoreData
import CoreDataModelEditing
import Synchronization

/// A model that the browser shows, with all its versions; one of sources can be edited.
///
/// Invariants:
/// 1. A version has one session, which all tabs share, so that steps follow each other.
/// 2. What is edited is not in the file before it is saved, and what another program has written is not written over.
package final class EditedModel: Identifiable, Sendable {
    /// What names the model in addresses: `Heroes-x5f0c21d9`, or `store-` and the name of a store for its own.
    package let id: String
    package let name: String
    /// The model's file or folder, or the store's; nil for a store that has none.
    package let url: URL?
    let form: Form
    /// Where classes are written that are generated from the page; nil for nowhere.
    let classFolder: URL?
    /// What follows an entity or a property that is renamed on the page.
    let following: FollowingFolders
    /// Where edits that are not saved outlive the program; nil for what is not edited.
    private let folder: StateFolder?
    private let versions: Mutex<[String: EditedVersion]> = Mutex([:])

    enum Form: Sendable {
        /// An `.xcdatamodeld`.
        case package(SourcePackage)
        /// An `.xcdatamodel` or the file in it.
        case source(URL)
        /// Sources made of models that are not edited, by their names, in order; why they are not.
        case shown([(name: String, document: ModelDocument)], current: String, reason: String)
    }

    /// Reads a model of any form; one that is not written in sources is only shown.
    ///
    /// - Throws: `InspectionError`, `ModelEditError` or `ModelingError` where there is none.
    package init(
        id: String, at url: URL, isWriting: Bool, classFolder: URL? = nil,
        following: FollowingFolders = FollowingFolders(), folder: StateFolder? = nil
    ) throws {
        self.id = id
        self.folder = folder
        self.following = following
        self.classFolder = classFolder
        self.url = url
        name = url.lastPathComponent
        if isWriting, url.pathExtension == "xcdatamodeld" {
            form = .package(try SourcePackage(at: url))
        } else if isWriting, try Self.isSource(url) {
            form = .source(url)
        } else {
            let origin = try ModelOrigin(at: url)
            let documents = origin.versions.map { version in
                let own = try? ModelDocument(at: version.url)
                return (version.name, own ?? ModelDocument.describing(version.model).document)
            }
            form = .shown(documents, current: try origin.version().name, reason: Self.reason(isWriting, origin.isStore))
        }
    }

    /// Shows the model that a store is read with.
    init(id: String, of store: BrowsedStore) {
        self.id = id
        (classFolder, folder, following) = (nil, nil, FollowingFolders())
        url = store.file
        name = store.name
        let document = ModelDocument.describing(store.opened.declaredModel).document
        form = .shown([(store.name, document)], current: store.name, reason: Self.reason(true, true))
    }

    /// What names a model, or a version of it, in the state's folder.
    package static func identifier(of url: URL, _ version: String = "") -> String {
        let digest = SHA2.sha256(Array("\(url.path)\n\(version)".utf8)).prefix(16)
        return "model-" + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func isSource(_ url: URL) throws -> Bool {
        guard let location = try? ModelLocation(url) else { return false }
        return location.form == .source && ModelLocation.versions(in: url).count <= 1
    }

    private static func reason(_ isWriting: Bool, _ isStore: Bool) -> String {
        if !isWriting { return "the model is open for reading only" }
        return isStore
            ? "The model in a store cannot be edited. Edit the source of the model, then migrate the store."
            : "a compiled model is not edited: edit its source and compile it again"
    }

    /// Why the model is not edited; nil where it is.
    package var reasonAgainstEditing: String? {
        if case .shown(_, _, let reason) = form { reason } else { nil }
    }

    // MARK: Versions

    /// The names of the versions, in order.
    package var versionNames: [String] {
        switch form {
        case .package(let package): package.versions
        case .source(let url): [ModelLocation.versionName(of: url)]
        case .shown(let documents, _, _): documents.map(\.name)
        }
    }

    /// The name of the current version.
    ///
    /// - Throws: `ModelingError` where the package names none.
    package func currentName() throws -> String {
        switch form {
        case .package(let package): try package.current()
        case .source: versionNames[0]
        case .shown(_, let current, _): current
        }
    }

    /// The versions with edits that are not saved.
    var unsavedNames: Set<String> {
        versions.withLock { versions in Set(versions.filter { $0.value.isUnsaved }.map(\.key)) }
    }

    /// Does something with a version, which is read where it has not been; nil for the current one.
    ///
    /// A model without unsaved edits is read again when its file has changed.
    /// - Throws: what `body` throws, and what reading throws.
    package func with<Result>(
        _ version: String?, _ body: (inout EditedVersion, _ name: String) throws -> Result
    ) throws -> Result {
        let name = try version ?? currentName()
        return try versions.withLock { versions in
            var state = try versions[name] ?? read(name)
            if !state.isUnsaved, state.isChangedOutside { state = try state.following(read(name)) }
            let (revision, wasUnsaved) = (state.revision, state.isUnsaved)
            defer {
                versions[name] = state
                if state.revision != revision || state.isUnsaved != wasUnsaved { keep(state, name) }
            }
            return try body(&state, name)
        }
    }

    /// Keeps what is not saved. Where that cannot be done, an edit is done all the same.
    private func keep(_ state: EditedVersion, _ name: String) {
        guard let url, let folder, let kept = try? KeptSteps(of: url, name, in: folder) else { return }
        try? kept.write(state.isUnsaved ? state.session.done.map { ($0.name, $0.edits) } : [])
    }

    private func read(_ name: String) throws -> EditedVersion {
        switch form {
        case .package(let package): try restored(ModelSourceFile(at: package.url, version: name), name)
        case .source(let url): try restored(ModelSourceFile(at: url), name)
        case .shown(let documents, _, _):
            if let found = documents.first(where: { $0.name == name }) {
                EditedVersion(found.document)
            } else {
                throw BrowserFailure(
                    404, code: "unknownVersion", reason: "the model has no version '\(name)'",
                    hint: NameSuggestion(for: name, in: documents.map(\.name))?.question)
            }
        }
    }

    /// A version as it is in its file, with the edits that were not saved when the program ended.
    private func restored(_ file: ModelSourceFile, _ name: String) throws -> EditedVersion {
        var version = try EditedVersion(file)
        if let url, let folder, let steps = try? KeptSteps(of: url, name, in: folder).read(), !steps.isEmpty {
            version.restore(steps)
        }
        return version
    }

    /// Refuses an edit of a model that is only shown.
    ///
    /// - Throws: `BrowserFailure` 409.
    package func requireEditing() throws {
        if let reason = reasonAgainstEditing { throw BrowserFailure(409, code: "readOnly", reason: reason) }
    }
}
