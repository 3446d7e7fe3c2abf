import CoreDataFoundation
import LockKit

/// A file, or a package of files, that is edited and saved by itself: what a subclass says by
/// `load(fromContents:ofType:)` and `contents(forType:)` is read and written safely, in the background, in turn with
/// others.
///
/// As Apple's class of this name. Differences: completion handlers, and `load` and `contents` when they are not called
/// by the program's own call, run on `callbackQueue`; there is no user interface for errors, and `lastError` has them;
/// nothing is uploaded.
///
/// | state | from | to |
/// |---|---|---|
/// | closed | the initializer, `close` | `open`, or `save` with `.forCreating` |
/// | normal | those | `close` |
/// | in conflict | a save that finds what another one saved, or versions in conflict beside the file | all of these are resolved |
/// | saving error | a save that fails | one that does not |
/// | editing disabled | `disableEditing` | `enableEditing` |
///
/// Invariants:
/// 1. Files are read and written on `fileQueue` alone, one after another.
/// 2. `stamp` is that of the file when it was last read or saved; another one means that it was changed by others.
open class UIDocument: NSObject, NSFilePresenter, @unchecked Sendable {
    struct Condition {
        var url: URL
        var state: State = .closed
        var stamp: ItemStamp?
        var changes = 0
        var error: (any Error)?
        var undoManager: UndoManager?
        var observers: [any NSObjectProtocol] = []
        var period: TimeInterval = 15
        var autosave: DispatchWorkItem?
        var callbacks = DispatchQueue(label: "Documents.UIDocument.callbacks")
        var watch: FolderWatch?
    }

    let condition: Locked<Condition>
    let fileQueue = DispatchQueue(label: "Documents.UIDocument.files")
    /// Where the methods of `NSFilePresenter` are called.
    public let presentedItemOperationQueue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }()

    /// Makes a document of a file that may not be there yet.
    public init(fileURL url: URL) { condition = Locked(Condition(url: url)) }

    deinit {
        let (work, observers) = condition.withLock { ($0.autosave, $0.observers) }
        work?.cancel()
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    // MARK: What it is

    /// Where the document is; changes when it is moved.
    open var fileURL: URL { condition.withLock { $0.url } }
    /// The name, for people.
    open var localizedName: String { fileURL.deletingPathExtension().lastPathComponent }
    /// The type: the extension of the file's name; nil without one.
    open var fileType: String? { fileURL.pathExtension.isEmpty ? nil : fileURL.pathExtension }
    /// The type that the document is saved as.
    open var savingFileType: String? { fileType }
    /// When the file was last changed; nil if there is none.
    open var fileModificationDate: Date? {
        (try? FileManager.default.attributesOfItem(atPath: fileURL.path)[.modificationDate] as? Date) ?? nil
    }
    /// The present state; changes are announced by ``stateChangedNotification``.
    open var documentState: State { condition.withLock { $0.state } }
    /// Why something failed last; nil after a save or an opening that did not.
    public var lastError: (any Error)? { condition.withLock { $0.error } }
    /// Where completion handlers are called: a serial queue of the document's own, unless it is set, for example to
    /// `.main`.
    public var callbackQueue: DispatchQueue {
        get { condition.withLock { $0.callbacks } }
        set { condition.withLock { $0.callbacks = newValue } }
    }
    /// Seconds after a change until it is saved by itself.
    public var autosavePeriod: TimeInterval {
        get { condition.withLock { $0.period } }
        set { condition.withLock { $0.period = newValue } }
    }
    /// The file of the document.
    public var presentedItemURL: URL? { fileURL }

    // MARK: What subclasses say

    /// Takes over the contents: `Data` of a file, a ``FileWrapper`` of a folder. Empty data mean a new document.
    ///
    /// - Throws: What is wrong with them; opening fails with that error.
    open func load(fromContents contents: Any, ofType typeName: String?) throws {}

    /// The contents to save: `Data`, or a ``FileWrapper``.
    ///
    /// - Throws: Why there are none; saving fails with that error.
    open func contents(forType typeName: String) throws -> Any { Data() }

    /// Reads the file, and loads what it has.
    open func read(from url: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        let contents: Any = isFolder.boolValue ? try FileWrapper(url: url) : try Data(contentsOf: url)
        try load(fromContents: contents, ofType: fileType)
    }

    /// Writes contents to a new place, which then replaces the file.
    open func writeContents(_ contents: Any, to url: URL, for saveOperation: SaveOperation) throws {
        switch contents {
        case let data as Data: try SafeFile.writeNew(data, to: url)
        case let wrapper as FileWrapper: try wrapper.write(to: url)
        default:
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [NSLocalizedDescriptionKey: "contents(forType:) returned neither Data nor a FileWrapper"])
        }
    }

    /// Is called with each error. A subclass that overrides it calls this one too.
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        condition.withLock { $0.error = error }
    }

    /// Editing must stop for a moment. A subclass may override it; the state changes anyway.
    open func disableEditing() { change { $0.insert(.editingDisabled) } }

    /// Editing may go on.
    open func enableEditing() { change { $0.remove(.editingDisabled) } }

    // MARK: States

    /// Changes the state, and announces that.
    func change(_ body: (inout State) -> Void) {
        let isNew = condition.withLock { condition in
            let before = condition.state
            body(&condition.state)
            return condition.state != before
        }
        if isNew { NotificationCenter.default.post(name: UIDocument.stateChangedNotification, object: self) }
    }

    /// Calls a completion handler.
    func complete(_ handler: (@Sendable (Bool) -> Void)?, _ isDone: Bool) {
        guard let handler else { return }
        callbackQueue.async { handler(isDone) }
    }
}
