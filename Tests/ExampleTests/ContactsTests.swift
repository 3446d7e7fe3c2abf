import CoreData
import SQLiteKit
import TestBasics
import Testing

@testable import ContactsSample
@testable import CoreDataSQLite

/// The example Contacts: lists read no pictures, and none is left without its contact.
@MainActor @Suite struct ContactsTests {
    private static let pictureSize = 300_000

    /// A store with contacts that have pictures, opened by a book that has read nothing of it.
    private static func book(_ form: ContactForm, in folder: TemporaryFolder, count: Int = 5) throws -> ContactBook {
        let url = folder.url.appendingPathComponent("Contacts.sqlite")
        let book = try ContactBook(at: url, form: form)
        for number in 0..<count {
            let contact = try book.add("First \(number)", "Last \(number)")
            try book.setPicture(Data(repeating: UInt8(number), count: pictureSize), of: contact)
        }
        return try ContactBook(at: url, form: form)
    }

    /// The statements that a block sends to a store.
    private static func statements(of book: ContactBook, _ body: () throws -> Void) throws -> [String] {
        final class Log { var texts: [String] = [] }
        let log = Log()
        let store = try #require(book.container.persistentStoreCoordinator.persistentStores.first)
        let file = try #require(store.objects as? StoreFile)
        var files = [file]
        if case .reader(let reader) = file.pool?.checkOut(for: ReaderUse(.question), waiting: .zero) {
            if let other = reader as? StoreFile { files.append(other) }
            reader.release()
        }
        for file in files { file.connection.trace = { if $0.contains("SELECT") { log.texts.append($0) } } }
        defer { for file in files { file.connection.trace = nil } }
        try body()
        return log.texts
    }

    @Test(
        "a list of contacts is one statement that reads no picture, in both forms (SAMPLE-12)",
        arguments: [ContactForm.pictureInside, .pictureBeside])
    func listsReadNoPictures(form: ContactForm) throws {
        let folder = try TemporaryFolder()
        let book = try Self.book(form, in: folder)
        var names: [String] = []
        let texts = try Self.statements(of: book) { names = try book.names() }
        #expect(names == (0..<5).map { "First \($0) Last \($0)" })
        #expect(texts.count == 1 && texts[0].contains("ZLASTNAME"))
        // In the second form a contact knows the number of its picture, and nothing of its bytes.
        let bytes = form == .pictureInside ? "ZPICTURE" : "ZIMAGEDATA"
        #expect(texts.allSatisfy { !$0.contains(bytes) && !$0.contains("ZCONTACTPICTURE") })

        // The picture of one contact is read when it is asked for, and no other.
        let contact = try #require(try book.contact("First 3 Last 3"))
        var picture: Data?
        let more = try Self.statements(of: book) { picture = book.picture(of: contact) }
        #expect(picture == Data(repeating: 3, count: Self.pictureSize))
        #expect((1...2).contains(more.count) && more.last?.contains(bytes) == true)
    }

    @Test("without the restriction the first form would read the pictures with the list (SAMPLE-12)")
    func unrestrictedList() throws {
        let folder = try TemporaryFolder()
        let book = try Self.book(.pictureInside, in: folder)
        let request = book.form.list
        request.propertiesToFetch = nil
        let texts = try Self.statements(of: book) { _ = try book.context.fetch(request) }
        #expect(texts.count == 1 && texts[0].contains("ZPICTURE"))
    }

    @Test("a picture that is replaced, taken away or deleted with its contact is not left (SAMPLE-12)")
    func noOrphans() throws {
        let folder = try TemporaryFolder()
        let book = try Self.book(.pictureBeside, in: folder, count: 2)
        func pictures() throws -> [ContactPicture] {
            try book.context.fetch(NSFetchRequest<ContactPicture>(entityName: "ContactPicture"))
        }
        let first = try #require(try book.contact("First 0 Last 0"))
        let old = try #require(first.value(forKey: "picture") as? ContactPicture)
        try book.setPicture(Data([1, 2]), of: first)
        #expect(book.picture(of: first) == Data([1, 2]))
        #expect(old.managedObjectContext == nil || old.isDeleted)
        #expect(try pictures().count == 2 && pictures().allSatisfy { $0.contact != nil })
        try book.setPicture(nil, of: first)
        #expect(try pictures().count == 1 && book.picture(of: first) == nil)
        // Two contacts that change their pictures leave one without.
        let second = try #require(try book.contact("First 1 Last 1"))
        first.setValue(second.value(forKey: "picture"), forKey: "picture")
        try book.context.save()
        #expect(try pictures().map { $0.contact } == [first] && second.value(forKey: "picture") == nil)
        book.context.delete(first)
        try book.context.save()
        #expect(try pictures().isEmpty && book.names() == ["First 1 Last 1"])
        let again = try ContactBook(at: folder.url.appendingPathComponent("Contacts.sqlite"))
        #expect(try again.context.count(for: NSFetchRequest<ContactPicture>(entityName: "ContactPicture")) == 0)
    }
}
