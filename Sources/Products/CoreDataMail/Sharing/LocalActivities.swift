import CoreDataGraph
import UniformTypeIdentifiers

/// Copies, by what the environment has for it.
final class CopyActivity: StandardActivity, @unchecked Sendable {
    override var activityType: ActivityType? { .copyToPasteboard }
    override var activityTitle: String? { "Copy" }
    override func takes(_ items: [SharedItem]) -> Bool { environment.copy != nil }

    override func run() throws -> [Any]? {
        try environment.copy?(items)
        return nil
    }
}

/// Prints texts, pictures, PDF documents and objects, by what the environment has for it.
final class PrintActivity: StandardActivity, @unchecked Sendable {
    override var activityType: ActivityType? { .print }
    override var activityTitle: String? { "Print" }

    override func takes(_ items: [SharedItem]) -> Bool {
        environment.print != nil
            && items.contains { item in
                guard case .file(let file) = item else { return true }
                return [UTType.image, .pdf, .text].contains { file.type.conforms(to: $0) }
            }
    }

    override func run() throws -> [Any]? {
        try environment.print?(items)
        return nil
    }
}

/// Saves each item as a file of its own; returns their URLs.
final class SaveActivity: StandardActivity, @unchecked Sendable {
    override var activityType: ActivityType? { .saveToFiles }
    override var activityTitle: String? { "Save" }
    override func takes(_ items: [SharedItem]) -> Bool { environment.folder != nil }

    override func run() throws -> [Any]? {
        guard let folder = environment.folder else { throw StandardActivity.nothing }
        return try items.map { item in
            switch item {
            case .text(let text): try save(SharedFile(String(text.prefix(40)), .plainText, Data(text.utf8)), in: folder)
            case .url(let url):
                try save(SharedFile(url.host ?? "link", .plainText, Data("\(url.absoluteString)\n".utf8)), in: folder)
            case .file(let file): try save(file, in: folder)
            case .object(let object): try save(SharedFile(object.title, .json, object.json), in: folder)
            }
        }
    }

    /// Saves under the file's name, or with a number behind it where another file has that.
    private func save(_ file: SharedFile, in folder: URL) throws -> URL {
        let safe = FileNames.safe(file.name, otherwise: "file") as NSString
        for number in 1...10_000 {
            let stem = number == 1 ? safe.deletingPathExtension : "\(safe.deletingPathExtension) \(number)"
            let url = folder.appendingPathComponent(safe.pathExtension.isEmpty ? stem : "\(stem).\(safe.pathExtension)")
            let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                guard errno == EEXIST else { throw MailMessage.failure(url, errno) }
                continue
            }
            do {
                try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: file.data)
                return url
            } catch {
                unlink(url.path)
                throw error
            }
        }
        throw MailError(.unusableFile, "\(folder.path) has 10,000 files of that name", hint: "save into another folder")
    }
}

/// Gives objects as files of JSON.
final class JSONActivity: StandardActivity, @unchecked Sendable {
    override var activityType: ActivityType? { .json }
    override var activityTitle: String? { "JSON" }
    override func takes(_ items: [SharedItem]) -> Bool {
        items.contains { if case .object = $0 { true } else { false } }
    }
    override func run() throws -> [Any]? { objects.map { SharedFile($0.title, .json, $0.json) } }
}

/// Gives persons as one file of cards.
final class CardActivity: StandardActivity, @unchecked Sendable {
    override var activityType: ActivityType? { .vCard }
    override var activityTitle: String? { "Card" }

    override func takes(_ items: [SharedItem]) -> Bool {
        items.contains { if case .object(let object) = $0 { object.card != nil } else { false } }
    }

    override func run() throws -> [Any]? {
        let cards = objects.compactMap(\.card)
        guard let first = cards.first else { throw StandardActivity.nothing }
        return [SharedFile(first.displayName, .vCard, Data(cards.map(\.text).joined().utf8))]
    }
}

/// Gives events as one calendar.
final class CalendarActivity: StandardActivity, @unchecked Sendable {
    override var activityType: ActivityType? { .calendar }
    override var activityTitle: String? { "Calendar" }

    override func takes(_ items: [SharedItem]) -> Bool {
        items.contains { if case .object(let object) = $0 { object.event != nil } else { false } }
    }

    override func run() throws -> [Any]? {
        let events = objects.compactMap(\.event)
        guard let first = events.first else { throw StandardActivity.nothing }
        return [SharedFile(first.title, .calendar, Data(CalendarEvent.text(of: events).utf8))]
    }
}
