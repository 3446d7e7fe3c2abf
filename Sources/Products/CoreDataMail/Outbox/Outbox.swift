import CoreDataGraph
import CoreDataSQLite
import LockKit

/// Messages that wait to be sent: a Core Data store, with a file for each message beside it.
///
/// Messages are sent at most once: a message whose handing-over was begun when the process or the connection ended is `unknown`, and only a
/// person sends it again. Several processes may use one folder; one of them sends at a time. May be used on any thread; all functions
/// wait for the disk, and ``drain(at:)`` for the network.
///
/// The folder has `Outbox.sqlite`, which any tool for Core Data stores opens, `Messages/` and `Outbox.lock`.
///
/// Invariants:
/// 1. A row names a file that was whole before the row was saved.
/// 2. Only who holds the lock of the folder changes a row to or from `sending` and `committing`.
public final class Outbox: Sendable {
    /// The folder of the outbox.
    public let folder: URL
    /// The store's file.
    public var storeURL: URL { folder.appendingPathComponent("Outbox.sqlite") }

    let transport: any MailTransport
    let backOff: BackOff
    let keepsSentMessages: Bool
    let draining = NSLock()
    let timer = Locked<(any DispatchSourceTimer)?>(nil)
    private let coordinator: NSPersistentStoreCoordinator

    /// Opens an outbox, or makes one.
    ///
    /// - Parameters:
    ///   - folder: Made if it is not there, for its owner alone.
    ///   - transport: What sends the messages.
    ///   - backOff: When a message is tried again.
    ///   - keepsSentMessages: Whether the files of sent messages stay; their rows always do.
    /// - Throws: An error of Core Data or Foundation if the folder or the store cannot be made or opened.
    public init(
        folder: URL, transport: any MailTransport, backOff: BackOff = BackOff(), keepsSentMessages: Bool = false
    ) throws {
        (self.folder, self.transport, self.backOff) = (folder, transport, backOff)
        self.keepsSentMessages = keepsSentMessages
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: OutboxModel.make())
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Messages"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: nil)
    }

    deinit { timer.withLock { $0?.cancel() } }

    /// The model of the store, for tools that open it.
    public static var managedObjectModel: NSManagedObjectModel { OutboxModel.make() }

    /// Puts a message in, to be sent at the next ``drain(at:)``.
    ///
    /// - Parameters:
    ///   - message: With a sender.
    ///   - date: When it may be sent first.
    /// - Returns: The message in the outbox.
    /// - Throws: ``MailError``, or an error of the store; the message is then not in the outbox.
    @discardableResult
    public func add(_ message: MailMessage, at date: Date = Date()) throws -> OutboxItem {
        let id = UUID()
        return try insert(id, try message.write(to: file(of: id)), subject: message.subject, at: date)
    }

    /// Puts in a message that is a file, which is copied.
    @discardableResult
    public func add(_ message: MailFile, subject: String = "", at date: Date = Date()) throws -> OutboxItem {
        try FieldText.check(subject, of: "the subject")
        let id = UUID()
        do { try FileManager.default.copyItem(at: message.url, to: file(of: id)) } catch {
            throw MessageScan.unusable(message.url, error)
        }
        return try insert(id, MailFile(message, at: file(of: id)), subject: subject, at: date)
    }

    private func insert(_ id: UUID, _ file: MailFile, subject: String, at date: Date) throws -> OutboxItem {
        do {
            return try perform { context in
                let row = OutboxRow(
                    object: NSEntityDescription.insertNewObject(forEntityName: OutboxModel.entityName, into: context))
                row.fill(id, file, subject: subject, at: date)
                try context.save()
                return row.item(file: file.url)
            }
        } catch {
            try? FileManager.default.removeItem(at: file.url)
            throw error
        }
    }

    /// The messages, those put in last at the end.
    public func items() throws -> [OutboxItem] {
        try perform { context in try rows(in: context).compactMap { row in row.id.map { row.item(file: file(of: $0)) } }
        }
    }

    /// A message; nil if it is not there.
    public func item(_ id: UUID) throws -> OutboxItem? {
        try perform { context in try row(id, in: context)?.item(file: file(of: id)) }
    }

    func file(of id: UUID) -> URL { folder.appendingPathComponent("Messages/\(id.uuidString.lowercased()).eml") }

    /// Runs a block with a context of its own, on the context's queue.
    func perform<Result>(_ block: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try block(context) }
    }

    func rows(in context: NSManagedObjectContext, where predicate: NSPredicate? = nil) throws -> [OutboxRow] {
        let request = NSFetchRequest<NSManagedObject>(entityName: OutboxModel.entityName)
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: true)]
        return try context.fetch(request).map { OutboxRow(object: $0) }
    }

    func row(_ id: UUID, in context: NSManagedObjectContext) throws -> OutboxRow? {
        try rows(in: context, where: NSPredicate(format: "identifier == %@", id)).first
    }
}
