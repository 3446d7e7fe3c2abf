import CoreDataGraph

/// The model of an outbox's store: one entity, `Message`.
enum OutboxModel {
    static let entityName = "Message"

    /// A model of its own for each outbox, since coordinators freeze theirs.
    static func make() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = entityName
        entity.managedObjectClassName = "NSManagedObject"
        entity.properties = [
            attribute("identifier", .uuid), attribute("state", .string), attribute("subject", .string),
            attribute("sender", .string), attribute("recipients", .string), attribute("accepted", .string),
            attribute("refused", .string), attribute("attempts", .integer64, default: 0), attribute("created", .date),
            attribute("nextAttempt", .date), attribute("lastError", .string, isOptional: true),
            attribute("messageIdentifier", .string, isOptional: true),
        ]
        entity.uniquenessConstraints = [["identifier"]]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, isOptional: Bool = false,
        default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = isOptional
        attribute.defaultValue = value
        return attribute
    }
}

/// A message's object, by the names of the model.
///
/// Used on the queue of its context. Lists are texts with a line for each member, which no address can break.
struct OutboxRow {
    let object: NSManagedObject

    private func text(_ key: String) -> String { object.value(forKey: key) as? String ?? "" }

    private func list(_ key: String) -> [String] { text(key).split(separator: "\n").map(String.init) }

    var id: UUID? { object.value(forKey: "identifier") as? UUID }

    var state: OutboxItem.State {
        get { OutboxItem.State(rawValue: text("state")) ?? .failed }
        nonmutating set { object.setValue(newValue.rawValue, forKey: "state") }
    }

    /// Those who have not got it and are tried again.
    var pending: [String] {
        get { list("recipients") }
        nonmutating set { object.setValue(newValue.joined(separator: "\n"), forKey: "recipients") }
    }

    var accepted: [String] {
        get { list("accepted") }
        nonmutating set { object.setValue(newValue.joined(separator: "\n"), forKey: "accepted") }
    }

    /// A line is a code, an address and what the server said.
    var refused: [RefusedRecipient] {
        get {
            list("refused").compactMap { line in
                let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 3, let code = Int(parts[0]) else { return nil }
                return RefusedRecipient(address: parts[1], code: code, text: parts[2])
            }
        }
        nonmutating set {
            let lines = newValue.map { "\($0.code) \($0.address) \(FieldText.shown($0.text))" }
            object.setValue(lines.joined(separator: "\n"), forKey: "refused")
        }
    }

    var attempts: Int {
        get { (object.value(forKey: "attempts") as? NSNumber)?.intValue ?? 0 }
        nonmutating set { object.setValue(NSNumber(value: newValue), forKey: "attempts") }
    }

    var nextAttempt: Date {
        get { object.value(forKey: "nextAttempt") as? Date ?? .distantPast }
        nonmutating set { object.setValue(newValue, forKey: "nextAttempt") }
    }

    var created: Date { object.value(forKey: "created") as? Date ?? .distantPast }

    var lastError: String? {
        get { object.value(forKey: "lastError") as? String }
        nonmutating set { object.setValue(newValue, forKey: "lastError") }
    }

    /// Fills a new object.
    func fill(_ id: UUID, _ file: MailFile, subject: String, at date: Date) {
        let values: [String: Any] = [
            "identifier": id, "subject": subject, "sender": file.sender, "created": date, "refused": "", "accepted": "",
        ]
        for (key, value) in values { object.setValue(value, forKey: key) }
        object.setValue(file.identifier, forKey: "messageIdentifier")
        (pending, state, nextAttempt) = (file.recipients, .queued, date)
    }

    func item(file: URL) -> OutboxItem {
        OutboxItem(
            id: id ?? UUID(), state: state, subject: text("subject"), sender: text("sender"), pending: pending,
            accepted: accepted,
            refused: refused, attempts: attempts, created: created, nextAttempt: nextAttempt, lastError: lastError,
            file: file)
    }

    /// The file of the message as a transport takes it, for those who have not got it yet.
    func mail(_ file: URL) throws -> MailFile {
        try MailFile(
            file, sender: text("sender"), recipients: pending,
            identifier: object.value(forKey: "messageIdentifier") as? String)
    }
}
