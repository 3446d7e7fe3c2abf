import CoreDataFoundation
import LockKit

/// Lets parts of a program read and write files in turn, and notifies those who present them.
///
/// As Apple's class of this name, which open-source Foundation lacks, for the parts of one process: other processes are
/// not kept out. What they write is noticed by who presents it.
open class NSFileCoordinator: @unchecked Sendable {
    /// How an item is read.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Makes a set of bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Presenters are not asked to save their changes before.
        public static let withoutChanges = ReadingOptions(rawValue: 1 << 0)
        /// Symbolic links are followed.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 1 << 1)
        /// Only the item's attributes are read.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 1 << 2)
        /// The item is read to be uploaded.
        public static let forUploading = ReadingOptions(rawValue: 1 << 3)
    }

    /// What is done by writing.
    public struct WritingOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Makes a set of bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The item is deleted: presenters are asked before.
        public static let forDeleting = WritingOptions(rawValue: 1 << 0)
        /// The item is moved.
        public static let forMoving = WritingOptions(rawValue: 1 << 1)
        /// Presenters save their changes before.
        public static let forMerging = WritingOptions(rawValue: 1 << 2)
        /// The item is replaced by another one.
        public static let forReplacing = WritingOptions(rawValue: 1 << 3)
        /// Only the item's attributes are written.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 1 << 4)
    }

    private static let presenters = Locked<[any NSFilePresenter]>([])
    private let presenter: (any NSFilePresenter)?
    private let cancelled = Locked(false)

    /// Accesses of coordinators with one identifier do not wait for each other.
    open var purposeIdentifier = UUID().uuidString

    /// - Parameter filePresenter: Who makes the accesses, and need not hear of them.
    public init(filePresenter: (any NSFilePresenter)? = nil) { presenter = filePresenter }

    // MARK: Presenters

    /// The presenters of the process.
    public class var filePresenters: [any NSFilePresenter] { presenters.withLock { $0 } }

    /// Keeps a presenter and calls it from now on.
    public class func addFilePresenter(_ filePresenter: any NSFilePresenter) {
        NSFileVersion.onResolution.withLock { $0 = Self.resolved }
        presenters.withLock { all in if !all.contains(where: { $0 === filePresenter }) { all.append(filePresenter) } }
    }

    private static let resolved: @Sendable (URL, NSFileVersion) -> Void = { url, version in
        for presenter in filePresenters where presenter.presentedItemURL?.itemPath == url.itemPath {
            presenter.presentedItemOperationQueue.addOperation { presenter.presentedItemDidResolveConflict(version) }
        }
    }

    /// Forgets a presenter.
    public class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {
        presenters.withLock { $0.removeAll { $0 === filePresenter } }
    }

    /// The presenters of an item, or of a folder that it is in, but for the own one.
    private func others(_ path: String) -> [(presenter: any NSFilePresenter, isItem: Bool)] {
        Self.filePresenters.compactMap { other in
            guard other !== presenter, let shown = other.presentedItemURL.map(\.itemPath) else { return nil }
            if shown == path || shown.hasPrefix(path + "/") { return (other, true) }
            return path.hasPrefix(shown + "/") ? (other, false) : nil
        }
    }

    // MARK: Accesses

    /// Waits until the item can be read, and calls `reader` with its URL then.
    ///
    /// - Parameter outError: Receives the error if a presenter objects or the coordinator is cancelled; `reader` is not called then.
    open func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error outError: UnsafeMutablePointer<NSError?>?,
        byAccessor reader: (URL) -> Void
    ) {
        access(url, writing: false, outError) { path in
            let round = PresenterRound()
            for (other, isItem) in others(path) where isItem && !options.contains(.withoutChanges) {
                round.ask(other) { $0.savePresentedItemChanges(completionHandler: $1) }
            }
            try round.wait(until: isCancelled)
        } body: { path, url in
            let round = PresenterRound()
            for (other, isItem) in others(path) where isItem {
                round.relinquish(other) { $0.relinquishPresentedItem(toReader: $1) }
            }
            defer { round.reacquire() }
            try round.wait(until: isCancelled)
            reader(url)
        }
    }

    /// Waits until the item can be written, and calls `writer` with its URL then: the one to use, since the item may
    /// have moved since.
    ///
    /// - Parameter outError: Receives the error if a presenter objects or the coordinator is cancelled; `writer` is not called then.
    open func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: UnsafeMutablePointer<NSError?>?,
        byAccessor writer: (URL) -> Void
    ) {
        access(url, writing: true, outError) { path in
            let round = PresenterRound()
            for (other, isItem) in others(path) { prepare(other, isItem, url, options, round) }
            try round.wait(until: isCancelled)
        } body: { path, url in
            let round = PresenterRound()
            for (other, isItem) in others(path) where isItem {
                round.relinquish(other) { $0.relinquishPresentedItem(toWriter: $1) }
            }
            defer { round.reacquire() }
            try round.wait(until: isCancelled)
            let before = ItemStamp(url)
            writer(url)
            if ItemStamp(url) != before { changed(path, url) }
        }
    }

    private func prepare(
        _ other: any NSFilePresenter, _ isItem: Bool, _ url: URL, _ options: WritingOptions, _ round: PresenterRound
    ) {
        if options.contains(.forDeleting) {
            round.ask(other) { presenter, done in
                isItem
                    ? presenter.accommodatePresentedItemDeletion(completionHandler: done)
                    : presenter.accommodatePresentedSubitemDeletion(at: url, completionHandler: done)
            }
        } else if isItem, !options.isDisjoint(with: [.forMerging, .forMoving]) {
            round.ask(other) { $0.savePresentedItemChanges(completionHandler: $1) }
        }
    }

    /// Waits until one item can be read and another one written, and calls `readerWriter` with their URLs then.
    open func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [], writingItemAt writingURL: URL,
        options writingOptions: WritingOptions = [], error outError: UnsafeMutablePointer<NSError?>?,
        byAccessor readerWriter: (URL, URL) -> Void
    ) {
        // In the order of the paths, so that two of these do not wait for each other.
        if readingURL.itemPath < writingURL.itemPath {
            coordinate(readingItemAt: readingURL, options: readingOptions, error: outError) { reading in
                coordinate(writingItemAt: writingURL, options: writingOptions, error: outError) {
                    readerWriter(reading, $0)
                }
            }
        } else {
            coordinate(writingItemAt: writingURL, options: writingOptions, error: outError) { writing in
                coordinate(readingItemAt: readingURL, options: readingOptions, error: outError) {
                    readerWriter($0, writing)
                }
            }
        }
    }

    /// Says that the accessor has moved an item: presenters get its new place, and those who wait for it too.
    open func item(at oldURL: URL, didMoveTo newURL: URL) {
        let (old, new) = (oldURL.itemPath, newURL.itemPath)
        AccessTable.shared.moved(old, new)
        for other in Self.filePresenters where other !== presenter {
            guard let shown = other.presentedItemURL.map(\.itemPath),
                let place = AccessTable.place(of: shown, moved: old, to: new)
            else { continue }
            other.presentedItemOperationQueue.addOperation {
                other.presentedItemDidMove(to: URL(fileURLWithPath: place))
            }
        }
    }

    /// Ends accesses of this coordinator that wait: they fail with `NSUserCancelledError`.
    open func cancel() {
        cancelled.withLock { $0 = true }
        AccessTable.shared.wakeAll()
    }

    private func isCancelled() -> Bool { cancelled.withLock { $0 } }

    /// `prepare` runs before the item is taken, so that presenters can still use it; `body` when it is taken.
    private func access(
        _ url: URL, writing: Bool, _ outError: UnsafeMutablePointer<NSError?>?, prepare: (String) throws -> Void,
        body: (String, URL) throws -> Void
    ) {
        do {
            let path = url.itemPath
            try prepare(path)
            let table = AccessTable.shared
            guard let access = table.begin(path, writing: writing, owner: purposeIdentifier, isCancelled: isCancelled)
            else { throw CocoaError(.userCancelled) }
            defer { table.end(access) }
            try body(access.path, access.path == path ? url : URL(fileURLWithPath: access.path))
        } catch {
            outError?.pointee = error as NSError
        }
    }

    private func changed(_ path: String, _ url: URL) {
        for (other, isItem) in others(path) {
            other.presentedItemOperationQueue.addOperation {
                isItem ? other.presentedItemDidChange() : other.presentedSubitemDidChange(at: url)
            }
        }
    }
}
