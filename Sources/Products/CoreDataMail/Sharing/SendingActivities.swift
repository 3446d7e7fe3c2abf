import CoreDataGraph
import UniformTypeIdentifiers

/// Writes mail: texts in its body, files and objects attached.
final class MailActivity: StandardActivity, @unchecked Sendable {
    private var dialog: MFMailComposeViewController?

    override var category: Category { .share }
    override var activityType: ActivityType? { .mail }
    override var activityTitle: String? { "Mail" }
    override var activityViewController: AnyObject? { dialog }

    override func takes(_ items: [SharedItem]) -> Bool { environment.account?.canSend == true }

    override func prepare(withActivityItems activityItems: [Any]) {
        super.prepare(withActivityItems: activityItems)
        // Without a dialog the sheet performs the action, which reports why.
        guard !items.isEmpty else { return }
        let dialog = MFMailComposeViewController(account: environment.account, queue: environment.queue)
        dialog.setSubject(title)
        dialog.setMessageBody(text, isHTML: false)
        for file in files + objects.flatMap(\.files) {
            dialog.add(MailAttachment(data: file.data, mimeType: file.type.preferredMIMEType, fileName: file.name))
        }
        dialog.onFinish { [ending] outcome in
            ending.end(outcome.result == .sent || outcome.result == .saved, nil, outcome.error)
        }
        self.dialog = dialog
    }

    override func run() throws -> [Any]? { throw StandardActivity.nothing }
}

/// Writes a text message.
final class MessageActivity: StandardActivity, @unchecked Sendable {
    private var dialog: MFMessageComposeViewController?

    override var category: Category { .share }
    override var activityType: ActivityType? { .message }
    override var activityTitle: String? { "Message" }
    override var activityViewController: AnyObject? { dialog }

    override func takes(_ items: [SharedItem]) -> Bool {
        guard let gateway = environment.gateway, gateway.canSend else { return false }
        return items.contains { item in if case .file(let file) = item { gateway.supports(file.type) } else { true } }
    }

    override func prepare(withActivityItems activityItems: [Any]) {
        super.prepare(withActivityItems: activityItems)
        guard !items.isEmpty else { return }
        let dialog = MFMessageComposeViewController(gateway: environment.gateway, queue: environment.queue)
        if !title.isEmpty { dialog.subject = title }
        dialog.body = text
        for file in files {
            dialog.addAttachmentData(file.data, typeIdentifier: file.type.identifier, filename: file.name)
        }
        dialog.onFinish { [ending] outcome in
            ending.end(outcome.result == .sent, nil, outcome.error)
        }
        self.dialog = dialog
    }

    override func run() throws -> [Any]? { throw StandardActivity.nothing }
}

/// Posts to a service.
final class PostActivity: StandardActivity, @unchecked Sendable {
    private let adapter: any ServiceAdapter
    private var dialog: SLComposeViewController?

    init(_ adapter: any ServiceAdapter, _ environment: ShareEnvironment) {
        self.adapter = adapter
        super.init(environment)
    }

    override var category: Category { .share }
    override var activityType: ActivityType? { .post(adapter.serviceType) }
    override var activityTitle: String? { adapter.title }
    override var activityViewController: AnyObject? { dialog }

    override func takes(_ items: [SharedItem]) -> Bool {
        adapter.isAvailable
            && items.contains { item in if case .file(let file) = item { adapter.supports(file.type) } else { true } }
    }

    override func prepare(withActivityItems activityItems: [Any]) {
        super.prepare(withActivityItems: activityItems)
        guard !items.isEmpty else { return }
        let dialog = SLComposeViewController(adapter, queue: environment.queue)
        let texts = items.compactMap { item -> String? in
            switch item {
            case .text(let text): text
            case .object(let object): object.text
            default: nil
            }
        }
        let text = texts.joined(separator: "\n\n")
        // A text that is too long is cut to what the service takes; the dialog shows what is left.
        dialog.setInitialText(adapter.longestText.map { String(text.prefix($0)) } ?? text)
        for case .url(let url) in items { dialog.add(url) }
        for file in files { dialog.add(file) }
        dialog.onFinish { [ending] outcome in
            ending.end(outcome.result == .done, nil, outcome.error)
        }
        self.dialog = dialog
    }

    override func run() throws -> [Any]? { throw StandardActivity.nothing }
}

extension StandardActivity {
    static var nothing: MailError {
        MailError(
            .invalidMessage, "there is nothing to share", hint: "see what the items' source returns for this action")
    }
}

extension SharedObject {
    /// The object as files: its attributes, and its card or its event where it has one.
    var files: [SharedFile] {
        var files: [SharedFile] = []
        if let card { files.append(SharedFile(title, .vCard, Data(card.text.utf8))) }
        if let event { files.append(SharedFile(title, .calendar, Data(event.text.utf8))) }
        return files + [SharedFile(title, .json, json)]
    }
}
