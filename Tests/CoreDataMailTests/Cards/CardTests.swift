import CoreData
import CoreDataMail
import Foundation
import TestBasics
import Testing

@Suite("Cards and calendars", .enabled(if: CardReader.isThere, "python3-vobject is missing"))
struct CardTests {
    @Test("MSG-07: a card is read back by another program as it was written, whatever its letters")
    func personsAreReadBack() throws {
        var card = PersonCard()
        (card.givenName, card.familyName) = ("Änne; \"A\"", "Müller, geb. O'Neil\\")
        (card.emails, card.phones) = (["anne@example.org", "a@b.c"], ["+49 30 1234"])
        (card.street, card.city, card.postalCode, card.country) = (
            "Hauptstraße 1\nHinterhof", "Köln", "50667", "Germany"
        )
        card.note = String(repeating: "Ein langer Text mit 漢字 und \u{1F4F7}. ", count: 20) + "\r\nzweite Zeile\u{7}"
        (card.latitude, card.longitude) = (0.00001, -0.00005)
        (card.birthday, card.timeZone) = (
            Date(timeIntervalSince1970: 315_532_800), try #require(TimeZone(identifier: "UTC"))
        )
        card.photo = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 500))
        (card.organization, card.identifier) = ("A; B & Co", "x-coredata://1")
        let read = try CardReader.read(card.text)
        #expect(read["fn"] == ["Änne; \"A\" Müller, geb. O'Neil\\"])
        #expect(read["family"] == ["Müller, geb. O'Neil\\"] && read["given"] == ["Änne; \"A\""])
        #expect(read["email"] == ["anne@example.org", "a@b.c"] && read["tel"] == ["+49 30 1234"])
        #expect(read["street"] == ["Hauptstraße 1\nHinterhof"] && read["city"] == ["Köln"] && read["code"] == ["50667"])
        #expect(
            read["note"] == [String(repeating: "Ein langer Text mit 漢字 und \u{1F4F7}. ", count: 20) + "\nzweite Zeile"])
        #expect(read["geo"] == ["0.000010;-0.000050"] && read["bday"] == ["1980-01-01"])
        #expect(read["photo"] == [card.photo?.base64EncodedString() ?? ""] && read["uid"] == ["x-coredata://1"])
        let lines = card.text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") && !$0.contains("\r") })
        // A text cannot add lines of its own.
        card = PersonCard()
        card.fullName = "x\r\nEMAIL:eve@example.com\u{2028}TEL:1"
        #expect(try CardReader.read(card.text)["email"] == nil)
        #expect(try CardReader.read(PersonCard().text)["fn"] == ["-"])
    }

    @Test(
        "MSG-07: times are written in UTC, whole days by their own zone with the day after the last, and places without exponents"
    )
    func eventsAreReadBack() throws {
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        var event = CalendarEvent(
            title: "Fest, groß; laut", start: start, end: start.addingTimeInterval(5_400), identifier: "e1")
        (event.location, event.notes) = ("Saal 1, links", "a\nb\\n")
        (event.latitude, event.longitude) = (-0.00009, 179.9999999)
        var read = try CardReader.read(event.text)
        #expect(read["start"] == ["2026-09-21T14:13:20+00:00"] && read["end"] == ["2026-09-21T15:43:20+00:00"])
        #expect(
            read["summary"] == ["Fest, groß; laut"] && read["location"] == ["Saal 1, links"]
                && read["description"] == ["a\nb\\n"])
        #expect(event.text.contains("\r\nGEO:-0.000090;180.000000\r\n"))
        event.isAllDay = true
        // 23 hours in the evening of a day in New York is the next day in UTC.
        event.timeZone = try #require(TimeZone(identifier: "America/New_York"))
        event.start = Date(timeIntervalSince1970: 1_790_046_000)
        event.end = event.start
        read = try CardReader.read(event.text)
        #expect(read["start"] == ["2026-09-21"] && read["end"] == ["2026-09-22"])
        event.isAllDay = false
        event.end = event.start.addingTimeInterval(-1)
        (event.latitude, event.longitude) = (91, 0)
        read = try CardReader.read(event.text)
        #expect(read["end"] == nil && !event.text.contains("GEO"))
        event.start = .distantPast
        #expect(!event.text.isEmpty)
        #expect(CalendarEvent.text(of: [event, event]).components(separatedBy: "BEGIN:VEVENT").count == 3)
    }

    @Test("MSG-07: objects that look like persons or events are recognized by any model's names, and no others")
    func objectsAreRecognized() throws {
        let model = Self.model([
            "Contact": [
                "first_name": .string, "lastName": .string, "Email": .string, "birthday": .date, "zip": .string,
            ],
            "Meeting": [
                "title": .string, "startDate": .date, "duration": .double, "time_zone": .string, "allDay": .boolean,
            ],
            "Book": ["title": .string, "published": .date, "pages": .integer32],
            "Place": ["name": .string, "latitude": .double],
        ])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            let contact = make(
                "Contact", ["first_name": "Anne", "lastName": "Müller", "Email": "a@b.c", "zip": "50667"])
            let card = PersonCard(contact)
            #expect(
                card?.givenName == "Anne" && card?.familyName == "Müller" && card?.emails == ["a@b.c"]
                    && card?.postalCode == "50667")
            #expect(CalendarEvent(contact) == nil && PersonCard(make("Contact", [:])) == nil)
            let start = Date(timeIntervalSince1970: 1_790_000_000)
            let meeting = make(
                "Meeting",
                [
                    "title": "Plan", "startDate": start, "duration": 3_600.0, "time_zone": "Europe/Berlin",
                    "allDay": true,
                ])
            let event = CalendarEvent(meeting)
            #expect(event?.title == "Plan" && event?.end == start.addingTimeInterval(3_600) && event?.isAllDay == true)
            #expect(event?.timeZone.identifier == "Europe/Berlin" && PersonCard(meeting) == nil)
            let book = make("Book", ["title": "Tea", "published": start, "pages": 3])
            let place = make("Place", ["name": "Cologne", "latitude": 50.9])
            #expect(
                PersonCard(book) == nil && CalendarEvent(book) == nil && PersonCard(place) == nil
                    && CalendarEvent(place) == nil)
        }
    }

    /// A model of entities with attributes.
    static func model(_ entities: [String: [String: NSAttributeDescription.AttributeType]]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities.sorted { $0.key < $1.key }.map { name, attributes in
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = attributes.sorted { $0.key < $1.key }.map { name, type in
                let attribute = NSAttributeDescription()
                (attribute.name, attribute.type, attribute.isOptional) = (name, type, true)
                return attribute
            }
            return entity
        }
        return model
    }
}

/// Cards and calendars as Debian's python3-vobject reads them.
enum CardReader {
    private static let python = URL(fileURLWithPath: "/usr/bin/python3")

    static let isThere = (try? run("import vobject", "")) != nil

    /// The values of the first component, by short names.
    static func read(_ text: String) throws -> [String: [String]] {
        try JSONDecoder().decode([String: [String]].self, from: run(script, text))
    }

    private static let script = """
        import base64, json, sys, vobject
        top = vobject.readOne(sys.stdin.buffer.read().decode("utf-8", "strict"))
        one = top.vevent if top.name == "VCALENDAR" else top
        result = {}
        def add(key, value):
            result.setdefault(key, []).append(value)
        for line in one.getChildren():
            value = line.value
            if line.name == "N":
                add("family", value.family); add("given", value.given)
            elif line.name == "ADR":
                add("street", value.street); add("city", value.city); add("code", value.code)
            elif line.name in ("DTSTART", "DTEND"):
                add(line.name[2:].lower(), value.isoformat())
            elif line.name == "PHOTO":
                add("photo", base64.b64encode(value).decode() if isinstance(value, bytes) else value)
            elif isinstance(value, str):
                add(line.name.lower(), value)
        json.dump(result, sys.stdout)
        """

    private static func run(_ script: String, _ input: String) throws -> Data {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("input")
        try Data(input.utf8).write(to: file)
        let (process, output) = (Process(), Pipe())
        process.executableURL = python
        process.arguments = ["-c", script]
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Toolchain.Failure(description: "vobject cannot read \(input)")
        }
        return data
    }
}
