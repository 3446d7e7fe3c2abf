import CoreData

/// The command line of the contacts.
@main
struct Program {
    private static let usage = """
        usage: contacts STORE [--inside] list                   lists all contacts
               contacts STORE [--inside] add FIRST LAST [FILE]  adds a contact, with the picture of a file
               contacts STORE [--inside] picture FIRST LAST     says how many bytes a contact's picture has
        --inside keeps pictures in the contacts, and not in objects of their own; a store has one form.
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("contacts: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        let words = arguments.filter { $0 != "--inside" }
        guard words.count >= 2 else { throw Complaint(usage) }
        let form: ContactForm = words.count < arguments.count ? .pictureInside : .pictureBeside
        let book = try ContactBook(at: URL(fileURLWithPath: words[0]), form: form)
        switch (words[1], words.count) {
        case ("list", 2): for name in try book.names() { print(name) }
        case ("add", 4...5):
            let picture = try words.dropFirst(4).first.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            try book.setPicture(picture, of: book.add(words[2], words[3]))
        case ("picture", 4):
            guard let contact = try book.contact("\(words[2]) \(words[3])") else {
                throw Complaint("there is no contact '\(words[2]) \(words[3])'")
            }
            print("\(book.picture(of: contact)?.count ?? 0) bytes")
        default: throw Complaint(usage)
        }
    }
}
