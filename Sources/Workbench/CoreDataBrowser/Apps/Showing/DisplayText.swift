import CoreData
import CoreDataLocalization

/// Formats values as rows show them: days without time, numbers of the locale, a count for many objects.
struct DisplayText {
    private let languages: [LanguageTag]
    private let formats: FormatStyleTable
    let reader: PropertyReader

    /// - Parameter language: The languages that the user's browser accepts, the first of which sets the locale.
    init(language: String?, reader: PropertyReader) {
        languages = AcceptLanguage(language ?? "").languages
        formats = FormatStyleTable(locale: languages.first?.locale ?? Locale(identifier: "en_US"))
        self.reader = reader
    }

    /// What numbers and dates are written by, and lists are sorted by.
    var locale: Locale { formats.locale }

    /// The text of a reading; nil for null and for a value that cannot be read.
    func text(_ reading: PropertyReading, _ context: NSManagedObjectContext) -> String? {
        switch reading {
        case .null, .unreadable: nil
        case .text(let text): text
        case .value(let value, let kind): text(value, kind)
        case .object(let id): (try? context.existingObject(with: id)).map { label(of: $0) }
        case .objects(let ids, _): ids.count.formatted(.number.locale(locale))
        }
    }

    /// The text of an attribute's value.
    func text(_ value: Any, _ kind: AttributeKind) -> String? {
        switch (kind, value) {
        case (_, let text as String): text
        case (_, let date as Date): day(date)
        case (.boolean, let number as NSNumber):
            OwnTexts.interface(number.boolValue ? "Yes" : "No", languages: languages)
        case (.decimal, let number as NSNumber): number.decimalValue.formatted(.number.locale(locale))
        case (.double, let number as NSNumber), (.float, let number as NSNumber):
            number.doubleValue.formatted(.number.locale(locale).precision(.fractionLength(0...6)))
        case (_, let number as NSNumber): number.int64Value.formatted(.number.locale(locale))
        case (_, let data as Data):
            OwnTexts.tables.text(
                "value.bytes", table: OwnTexts.validationTable, languages: languages,
                arguments: [TextArgument(data.count)], locale: locale)
        default: ValueCoding.text(value, kind)
        }
    }

    /// The 15th of October 1582, the first day of the Gregorian calendar, in seconds from the reference date.
    private static let gregorianStart = -13_197_600_000.0

    /// A day in abbreviated style, in UTC as days are stored.
    private func day(_ date: Date) -> String {
        // Calendars count such distant days wrongly; `ISODate` writes the number of seconds instead.
        guard abs(date.timeIntervalSinceReferenceDate) < 1e11 else { return ISODate.text(date) }
        // Foundation counts days before October 1582 by the Julian calendar.
        guard date.timeIntervalSinceReferenceDate >= Self.gregorianStart else {
            return String(ISODate.text(date).prefix { $0 != "T" })
        }
        return formats.text(date, as: .day(.medium))
    }

    /// The text of the attribute that names an object; without one, entity and number, or "New" and the entity.
    func label(of object: NSManagedObject) -> String {
        if let key = EntityLabel.key(of: object.entity), let route = try? KeyRoute(key, from: object.entity),
            let text = text(ObjectRecord(object: object, reader: reader).read(route), nil), !text.isEmpty
        {
            return text
        }
        return object.objectID.isTemporaryID ? "New \(object.entity.name ?? "")" : object.objectID.shortText
    }

    /// The text of an attribute's value; nil for any other reading.
    private func text(_ reading: PropertyReading, _: Never?) -> String? {
        if case .value(let value, let kind) = reading { text(value, kind) } else { nil }
    }

    /// The texts of several paths, separated by blanks; empty without texts.
    func joined(_ keys: [String], of object: NSManagedObject) -> String {
        let texts = keys.compactMap { key in
            (try? KeyRoute(key, from: object.entity)).flatMap { route in
                object.managedObjectContext.flatMap {
                    text(ObjectRecord(object: object, reader: reader).read(route), $0)
                }
            }
        }
        return texts.joined(separator: " ")
    }
}
