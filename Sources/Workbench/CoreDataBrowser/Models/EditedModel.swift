import CoreData
import CoreDataModelEditing
import Synchronization

/// A model that the browser shows, with all its versions; it can be edited if it is a source and not compiled.
///
/// Invariants:
/// 1. A version has one session, which all tabs share, so that the edits of all tabs form one sequence.
/// 2. Edits are written to the file only by a save, which never overwrites what another program has written.
package final class EditedModel: Identifiable, Sendable {
    /// The model's name in addresses: `Heroes-x5f0c21d9`, or for a store's model `store-` and the store's name.
    package let id: String
    package let name: String
    /// The model's file or folder, or the store's; nil for a store without a file.
    package let url: URL?
    let form: Form
    /// The folder into which the page may generate classes; nil if it may not.
    let classFolder: URL?
    /// The folders of code and property lists in which the page may rename what is renamed in the model.
    let following: FollowingFolders
    /// The folder in which unsaved edits are stored so that they survive the end of the program; nil for a model that
    /// is not edited.
    private let folder: StateFolder?
    private let versions: Mutex<[String: EditedVersion]> = Mutex([:])

    enum Form: Sendable {
        /// An `.xcdatamodeld`.
        case package(SourcePackage)
        /// An `.xcdatamodel` or the file in it.
        case source(URL)
        /// A read-only model: a source made of each version, by name and in order, and why the model cannot be edited.
        case shown([(name: String, document: ModelDocument)], current: String, reason: String)
    }

    /// Reads a model of any form; one that is not a source is read-only.
    ///
    /// - Throws: `InspectionError`, `ModelEditError` or `ModelingError` if there is no valid model.
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

    /// The read-only model with which a store is open.
    init(id: String, of store: BrowsedStore) {
        self.id = id
        (classFolder, folder, following) = (nil, nil, FollowingFolders())
        url = store.file
        name = store.name
        let document = ModelDocument.describing(store.opened.declaredModel).document
        form = .shown([(store.name, document)], current: store.name, reason: Self.reason(true, true))
    }

    /// The name of a model, or of a version of it, in the state folder.
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

    /// Why the model cannot be edited; nil if it can.
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
    /// - Throws: `ModelingError` if the package names no current version.
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

    /// Runs `body` with a version, nil for the current one, which is read if it has not been read yet.
    ///
    /// A version without unsaved edits is read again if its file has changed.
    /// - Throws: Errors of `body` and of reading the file.
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

    /// Stores the unsaved edits in the state folder. An edit succeeds even if that fails.
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

    /// Reads a version from its file and applies the edits that were not saved when the program ended.
    private func restored(_ file: ModelSourceFile, _ name: String) throws -> EditedVersion {
        var version = try EditedVersion(file)
        if let url, let folder, let steps = try? KeptSteps(of: url, name, in: folder).read(), !steps.isEmpty {
            version.restore(steps)
        }
        return version
    }

    /// Refuses an edit of a read-only model.
    ///
    /// - Throws: `BrowserFailure` 409.
    package func requireEditing() throws {
        if let reason = reasonAgainstEditing { throw BrowserFailure(409, code: "readOnly", reason: reason) }
    }
}
