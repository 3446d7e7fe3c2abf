import CoreData
import CoreDataPlaces
import Foundation

extension Gazetteer {
    private static let mostNames = 400
    private static let languages = ["en", "de", "fr", "es", "ar"]

    /// The places with a name, those first of which most other parts of the text are true, then the largest.
    ///
    /// The text is a name, or an address whose parts are separated by commas: the first part that is a place's name is
    /// taken, and the others are compared with its regions and its country.
    func named(_ text: String, in region: CLRegion?, _ locale: Locale?) throws -> [GazetteerPlace] {
        let parts = text.split(whereSeparator: { ",;\n".contains($0) }).map { NameFolding.keys(String($0)) }
            .filter { !$0.isEmpty }
        for (number, keys) in parts.enumerated() {
            let found = try places(keys)
            guard !found.isEmpty else { continue }
            let others = parts.enumerated().filter { $0.offset != number }.map(\.element)
            return ranked(found, others, keys, region, locale)
        }
        // Only the beginning of a name, if it is long enough to mean something.
        guard let first = parts.first, let longest = first.max(by: { $0.count < $1.count }), longest.count >= 3 else {
            return []
        }
        return ranked(try places(beginning: longest), Array(parts.dropFirst()), first, region, locale)
    }

    private func places(_ keys: Set<String>) throws -> [GazetteerPlace] {
        try places(NSPredicate(format: "key IN %@", Array(keys)))
    }

    private func places(beginning prefix: String) throws -> [GazetteerPlace] {
        // What lies between two keys is found by the index.
        try places(NSPredicate(format: "key >= %@ AND key < %@", prefix, prefix + "\u{10FFFF}"))
    }

    private func places(_ predicate: NSPredicate) throws -> [GazetteerPlace] {
        let context = context
        return try context.performAndWait {
            let numbers = Set(
                try Self.rows(
                    of: GazetteerModel.name, ["place"], where: predicate, limit: Self.mostNames, in: context
                ).compactMap { $0["place"] as? Int })
            guard !numbers.isEmpty else { return [] }
            let wanted = NSPredicate(format: "number IN %@", numbers.sorted())
            return try Self.rows(of: GazetteerModel.place, GazetteerPlace.keys, where: wanted, in: context)
                .compactMap(GazetteerPlace.init)
        }
    }

    private func ranked(
        _ places: [GazetteerPlace], _ others: [Set<String>], _ keys: Set<String>, _ region: CLRegion?, _ locale: Locale?
    ) -> [GazetteerPlace] {
        let circle = region as? CLCircularRegion
        let languages = Self.languages + [locale?.identifier].compactMap { $0 }
        var names: [String: Set<String>] = [:]
        func rank(_ place: GazetteerPlace) -> (Int, Int, Int, Int) {
            let known = names[place.country] ?? countryKeys(place.country, languages)
            names[place.country] = known
            let around = [place.admin1, place.admin2].compactMap { $0 }.reduce(known) {
                $0.union(NameFolding.keys($1))
            }
            let matches = others.count { !$0.isDisjoint(with: around) }
            let isNear = circle?.contains(place.coordinate) == true
            return (
                matches, isNear ? 1 : 0, place.population, NameFolding.keys(place.name).isDisjoint(with: keys) ? 0 : 1
            )
        }
        return places.map { (rank($0), $0) }.sorted {
            $0.0 != $1.0 ? $0.0 > $1.0 : $0.1.number < $1.1.number
        }.map(\.1)
    }

    private func countryKeys(_ code: String, _ languages: [String]) -> Set<String> {
        let names = languages.compactMap { Locale(identifier: $0).localizedString(forRegionCode: code) }
        return ([code, countryNames[code] ?? ""] + names).reduce(into: []) { $0.formUnion(NameFolding.keys($1)) }
    }
}
