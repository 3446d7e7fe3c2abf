import Documents
import Foundation
import TestBasics
import Testing

@Suite("Coordinated file access", .timeLimit(.minutes(1)))
struct CoordinationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Note.txt") }

    init() throws {
        folder = try TemporaryFolder()
        try Data("x".utf8).write(to: folder.url.appendingPathComponent("Note.txt"))
    }

    /// Records what is asked of it.
    private final class Presenter: NSFilePresenter, @unchecked Sendable {
        private let lock = NSLock()
        private var recorded: [String] = []
        private var url: URL?
        let objection: (any Error)?
        let presentedItemOperationQueue = OperationQueue()
        var presentedItemURL: URL? { lock.withLock { url } }
        var words: [String] { lock.withLock { recorded } }

        init(_ url: URL, objection: (any Error)? = nil) {
            (self.url, self.objection) = (url, objection)
            presentedItemOperationQueue.maxConcurrentOperationCount = 1
            NSFileCoordinator.addFilePresenter(self)
        }

        func add(_ word: String) { lock.withLock { recorded.append(word) } }
        func end() { NSFileCoordinator.removeFilePresenter(self) }

        func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
            add("reader")
            reader { self.add("again") }
        }
        func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
            add("writer")
            writer { self.add("again") }
        }
        func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
            add("save")
            completionHandler(objection)
        }
        func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
            add("deletion")
            completionHandler(objection)
        }
        func accommodatePresentedSubitemDeletion(
            at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            add("deletion of \(url.lastPathComponent)")
            completionHandler(objection)
        }
        func presentedItemDidMove(to newURL: URL) {
            lock.withLock { url = newURL }
            add("moved to \(newURL.lastPathComponent)")
        }
        func presentedItemDidChange() { add("changed") }
        func presentedSubitemDidChange(at url: URL) { add("changed \(url.lastPathComponent)") }
    }

    @Test("a deletion asks presenters of the file and of its folder first, and then has the URL to use (SYNC-20)")
    func deletion() async throws {
        let (file, parent, own) = (Presenter(url), Presenter(folder.url), Presenter(url))
        defer { for presenter in [file, parent, own] { presenter.end() } }
        var error: NSError?
        var before: [String] = []
        NSFileCoordinator(filePresenter: own).coordinate(writingItemAt: url, options: .forDeleting, error: &error) {
            place in
            before = file.words + parent.words
            try? FileManager.default.removeItem(at: place)
        }
        #expect(error == nil)
        #expect(before.contains("deletion") && before.contains("deletion of Note.txt"))
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(own.words.isEmpty)
    }

    @Test("a presenter that objects ends the deletion with its error (SYNC-20)")
    func objection() throws {
        let presenter = Presenter(url, objection: CocoaError(.fileWriteNoPermission))
        defer { presenter.end() }
        var error: NSError?
        var isCalled = false
        NSFileCoordinator().coordinate(writingItemAt: url, options: .forDeleting, error: &error) { _ in isCalled = true
        }
        #expect(error?.code == CocoaError.fileWriteNoPermission.rawValue && !isCalled)
    }

    @Test("readers and writers make presenters save, stop, and go on, and changes are reported (SYNC-20)")
    func rounds() async throws {
        let presenter = Presenter(url)
        defer { presenter.end() }
        let coordinator = NSFileCoordinator()
        var read: String?
        coordinator.coordinate(readingItemAt: url, error: nil) { read = try? String(contentsOf: $0, encoding: .utf8) }
        #expect(read == "x")
        #expect(presenter.words == ["save", "reader", "again"])
        coordinator.coordinate(writingItemAt: url, error: nil) { try? Data("longer".utf8).write(to: $0) }
        await eventually("the change") { presenter.words.contains("changed") }
        #expect(Set(presenter.words.suffix(3)) == ["writer", "again", "changed"])
    }

    @Test("who waits while the item moves gets its new place (SYNC-20)")
    func moves() async throws {
        let presenter = Presenter(url)
        defer { presenter.end() }
        let (from, to) = (url, folder.url.appendingPathComponent("Moved.txt"))
        let (begun, waits) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let mover = NSFileCoordinator()
        DispatchQueue.global().async {
            mover.coordinate(writingItemAt: from, options: .forMoving, error: nil) { place in
                begun.signal()
                waits.wait(for: "the reader")
                Thread.sleep(forTimeInterval: 0.2)
                try? FileManager.default.moveItem(at: place, to: to)
                mover.item(at: place, didMoveTo: to)
            }
        }
        begun.wait(for: "the mover")
        waits.signal()
        var place: URL?
        NSFileCoordinator().coordinate(readingItemAt: from, options: .withoutChanges, error: nil) { place = $0 }
        #expect(place?.lastPathComponent == "Moved.txt")
        await eventually("the news") { presenter.words.contains("moved to Moved.txt") }
    }

    @Test("writers of a folder and of what is in it take turns, and a cancelled one ends (SYNC-20)")
    func exclusion() async throws {
        let (inside, most, count) = (Counter(), Counter(), Counter())
        let (file, parent) = (url, folder.url)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    NSFileCoordinator().coordinate(writingItemAt: number % 3 == 0 ? parent : file, error: nil) { _ in
                        most.raise(to: inside.add(1))
                        usleep(500)
                        inside.add(-1)
                        count.add(1)
                    }
                }
            }
        }
        #expect(most.value == 1 && count.value == 24)

        let waiting = NSFileCoordinator()
        let ended = DispatchSemaphore(value: 0)
        NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { _ in
            DispatchQueue.global().async {
                var error: NSError?
                waiting.coordinate(readingItemAt: parent, error: &error) { _ in Issue.record("was called") }
                #expect(error?.code == CocoaError.userCancelled.rawValue)
                ended.signal()
            }
            waiting.cancel()
            ended.wait(for: "the cancelled reader")
        }
    }

    @Test("a coordinated reader sees what an open document had not saved (SYNC-20)")
    func documents() async throws {
        let document = NoteDocument(fileURL: url)
        #expect(await document.open())
        document.text = "unsaved"
        var read: String?
        NSFileCoordinator().coordinate(readingItemAt: url, error: nil) {
            read = try? String(contentsOf: $0, encoding: .utf8)
        }
        #expect(read == "unsaved")
        NSFileCoordinator().coordinate(writingItemAt: url, options: .forDeleting, error: nil) {
            try? FileManager.default.removeItem(at: $0)
        }
        #expect(document.documentState == .closed)
        #expect(NSFileCoordinator.filePresenters.allSatisfy { $0 !== document })
    }

    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0
        var value: Int { lock.withLock { number } }
        @discardableResult func add(_ difference: Int) -> Int {
            lock.withLock {
                number += difference
                return number
            }
        }
        func raise(to other: Int) { lock.withLock { number = max(number, other) } }
    }
}
