import CoreDataGraph

/// The attributes of an object by what their names mean, whatever their spelling: `first_name` is `firstName`.
struct ObjectFacts {
    let entity: String
    private let values: [String: Any]

    /// Reads an object, on the queue of its context.
    init(_ object: NSManagedObject) {
        entity = (object.entity.name ?? "").lowercased()
        var values: [String: Any] = [:]
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            if let value = object.value(forKey: name), !(value is NSNull) { values[Self.key(name)] = value }
        }
        self.values = values
    }

    private static func key(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }

    func text(_ names: String...) -> String? {
        for name in names {
            switch values[name] {
            case let text as String where !text.isEmpty: return text
            case let url as URL: return url.absoluteString
            default: continue
            }
        }
        return nil
    }

    func texts(_ names: String...) -> [String] { names.compactMap { text($0) } }

    func date(_ names: String...) -> Date? { names.lazy.compactMap { values[$0] as? Date }.first }

    func number(_ names: String...) -> Double? {
        names.lazy.compactMap { (values[$0] as? NSNumber)?.doubleValue }.first
    }

    func flag(_ names: String...) -> Bool { names.contains { (values[$0] as? NSNumber)?.boolValue == true } }

    func data(_ names: String...) -> Data? { names.lazy.compactMap { values[$0] as? Data }.first }

    /// Whether the entity's name has one of some words.
    func isCalled(_ words: String...) -> Bool { words.contains { entity.contains($0) } }

    /// A zone by its name; nil for one that is not known here.
    func zone(_ names: String...) -> TimeZone? {
        names.lazy.compactMap { text($0) }.compactMap { TimeZone(identifier: $0) }.first
    }
}

extension PersonCard {
    /// The card of an object that looks like a person; nil for others.
    ///
    /// A person has a name, and besides it a way to reach it, or an entity with a name such as `Person` or `Contact`. Must be
    /// called on the queue of the object's context.
    public init?(_ object: NSManagedObject) {
        let facts = ObjectFacts(object)
        self.init()
        (givenName, familyName) = (
            facts.text("firstname", "givenname"), facts.text("lastname", "familyname", "surname")
        )
        fullName = facts.text("fullname", "displayname", "name")
        emails = facts.texts("email", "emailaddress", "mail", "workemail", "homeemail")
        phones = facts.texts(
            "phone", "phonenumber", "telephone", "mobile", "mobilephone", "cellphone", "workphone", "homephone")
        let hasName = givenName != nil || familyName != nil || fullName != nil
        let isCalledSo = facts.isCalled(
            "person", "people", "contact", "customer", "employee", "member", "friend", "user", "client", "patient",
            "student")
        guard hasName, isCalledSo || !emails.isEmpty || !phones.isEmpty else { return nil }
        (organization, jobTitle) = (
            facts.text("organization", "organisation", "company"), facts.text("jobtitle", "position")
        )
        (street, city, region) = (
            facts.text("street", "address"), facts.text("city", "town"), facts.text("state", "region", "province")
        )
        (postalCode, country) = (facts.text("zip", "zipcode", "postalcode", "postcode"), facts.text("country"))
        (birthday, url) = (facts.date("birthday", "birthdate", "dateofbirth"), facts.text("url", "website", "homepage"))
        (note, photo) = (facts.text("note", "notes", "comment"), facts.data("photo", "picture", "image", "thumbnail"))
        (latitude, longitude) = (facts.number("latitude", "lat"), facts.number("longitude", "lon", "lng"))
        if let zone = facts.zone("timezone", "zone") { timeZone = zone }
        identifier = object.objectID.uriRepresentation().absoluteString
    }
}

extension CalendarEvent {
    /// The event of an object that looks like one; nil for others.
    ///
    /// An event has a title and a beginning, and besides them an end, a length or a place, or an entity with a name such as
    /// `Event`. Must be called on the queue of the object's context.
    public init?(_ object: NSManagedObject) {
        let facts = ObjectFacts(object)
        let begin = facts.date(
            "start", "startdate", "starttime", "startsat", "begin", "begindate", "begins", "date", "when")
        guard let title = facts.text("title", "name", "summary", "subject"), let begin else { return nil }
        let end = facts.date("end", "enddate", "endtime", "endsat", "ends", "finish")
        let length = facts.number("duration", "length")
        let place = facts.text("location", "place", "venue", "room")
        let isCalledSo = facts.isCalled(
            "event", "appointment", "meeting", "lecture", "concert", "session", "booking", "reservation")
        guard isCalledSo || end != nil || length != nil || place != nil else { return nil }
        self.init(
            title: title, start: begin, end: end ?? length.map { begin.addingTimeInterval($0) },
            identifier: object.objectID.uriRepresentation().absoluteString)
        (location, notes, url) = (
            place, facts.text("notes", "note", "details", "body"), facts.text("url", "website", "link")
        )
        (latitude, longitude) = (facts.number("latitude", "lat"), facts.number("longitude", "lon", "lng"))
        isAllDay = facts.flag("allday", "isallday")
        if let zone = facts.zone("timezone", "zone") { timeZone = zone }
    }
}
