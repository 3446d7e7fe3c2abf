import CoreDataGraph
import UniformTypeIdentifiers

/// An action of every sheet.
class StandardActivity: UIActivity, @unchecked Sendable {
    let environment: ShareEnvironment
    /// The subject of the items' source, if it has one.
    var subject: String?
    /// What is shared; pictures without their origin.
    private(set) var items: [SharedItem] = []
    private var failure: (any Error)?

    init(_ environment: ShareEnvironment) { self.environment = environment }

    static func all(_ environment: ShareEnvironment) -> [UIActivity] {
        [MailActivity(environment), MessageActivity(environment)]
            + environment.services.map { PostActivity($0, environment) } + [
                CopyActivity(environment), PrintActivity(environment), SaveActivity(environment),
                JSONActivity(environment),
                CardActivity(environment), CalendarActivity(environment),
            ]
    }

    /// Whether the action's part is there, and what it takes is among the items.
    func takes(_ items: [SharedItem]) -> Bool { false }
    /// Does it; what it made is returned to the sheet's program.
    func run() throws -> [Any]? { nil }

    override final func canPerform(withActivityItems activityItems: [Any]) -> Bool {
        let items = activityItems.compactMap { SharedItem($0) }
        return !items.isEmpty && takes(items)
    }

    override func prepare(withActivityItems activityItems: [Any]) {
        do {
            let all = activityItems.compactMap { SharedItem($0) }
            items = try environment.keepsPictureOrigin ? all : all.map { try $0.withoutOrigin() }
        } catch { failure = error }
    }

    override final func perform() {
        do {
            if let failure { throw failure }
            activityDidFinish(true, returning: try run(), error: nil)
        } catch { activityDidFinish(false, returning: nil, error: error) }
    }

    /// What people call the items: the subject, else the first object's title.
    var title: String {
        if let subject { return subject }
        return items.lazy.compactMap { if case .object(let object) = $0 { object.title } else { nil } }.first ?? ""
    }

    /// Texts, links and what is known of objects, a paragraph each.
    var text: String {
        items.compactMap { item in
            switch item {
            case .text(let text): text
            case .url(let url): url.absoluteString
            case .object(let object): object.text
            case .file: nil
            }
        }.joined(separator: "\n\n")
    }

    var files: [SharedFile] { items.compactMap { if case .file(let file) = $0 { file } else { nil } } }
    var objects: [SharedObject] { items.compactMap { if case .object(let object) = $0 { object } else { nil } } }
}

extension SharedItem {
    /// The item without where, when and with what a picture was taken.
    func withoutOrigin() throws -> SharedItem {
        guard case .file(let file) = self,
            file.type.conforms(to: .image) || UTType(recognizing: file.data)?.conforms(to: .image) == true
        else { return self }
        return .file(SharedFile(name: file.name, type: file.type, data: try PictureOrigin.removed(from: file.data)))
    }

    var isFile: Bool { if case .file = self { true } else { false } }
}

extension SharedFile {
    /// A file of an object's, named by its title.
    init(_ title: String, _ type: UTType, _ data: Data) {
        let name = FileNames.safe(title, otherwise: "object")
        self.init(name: "\(name).\(type.preferredFilenameExtension ?? "data")", type: type, data: data)
    }
}

/// Names of files made of texts.
enum FileNames {
    /// A text as a file's name: without separators, control characters and dots at its beginning, of at most 100 bytes.
    static func safe(_ text: String, otherwise: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars where scalar.properties.generalCategory != .control {
            let isSeparator = "/\\:".unicodeScalars.contains(scalar)
            guard name.utf8.count + UTF8.width(scalar) <= 100 else { break }
            name.unicodeScalars.append(isSeparator ? "-" : scalar)
        }
        name = String(name.drop { $0 == "." || $0 == " " })
        return name.isEmpty ? otherwise : name
    }
}
