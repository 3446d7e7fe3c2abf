import CoreData
import Foundation

/// A query as it is run: a copy that another thread may have.
struct MediaFetch: @unchecked Sendable {
    // Predicates are not changed after they are made.
    let library: MPMediaLibrary
    let predicate: NSPredicate
    let playlistPredicate: NSPredicate
    let grouping: MPMediaGrouping

    /// A row as far as it is needed to sort and collect it.
    private struct Row {
        let id: NSManagedObjectID
        let group: Int64?
        let title: String?
        let order: TitleOrder
        let numbers: [Double]
        let texts: [TitleOrder]

        /// In the order of a group, then of its tracks.
        static func precedes(_ one: Row, _ other: Row) -> Bool {
            if one.order != other.order { return one.order < other.order }
            if one.texts.first != other.texts.first, one.texts.count > 1 {
                return (one.texts.first ?? one.order) < (other.texts.first ?? other.order)
            }
            for (number, second) in zip(one.numbers, other.numbers) where number != second { return number < second }
            return (one.texts.last ?? one.order) < (other.texts.last ?? other.order)
        }
    }

    /// The rows in the order of the grouping. They are sorted here, since comparing titles in the store takes longer than all else.
    private func rows() throws -> [Row] {
        let (key, tracks) = (grouping.titleKey, grouping.trackKeys.filter { $0 != grouping.titleKey })
        let names = Array(Set([key] + tracks + [grouping.identifierKey].compactMap { $0 }))
        let rows = try library.perform { context in
            let request = NSFetchRequest<NSDictionary>(entityName: MediaModel.item)
            request.resultType = .dictionaryResultType
            request.predicate = predicate
            request.propertiesToFetch = [MediaModel.objectID as Any] + names
            // Titles repeat: a key is made once for each.
            var keys: [String?: TitleOrder] = [:]
            func order(_ text: String?) -> TitleOrder {
                if let known = keys[text] { return known }
                let made = TitleOrder(text)
                keys[text] = made
                return made
            }
            return try context.fetch(request).compactMap { row -> Row? in
                guard let id = row["id"] as? NSManagedObjectID else { return nil }
                let title = row[key] as? String
                let group = grouping.identifierKey.flatMap { (row[$0] as? NSNumber)?.int64Value }
                let numbers = tracks.filter { !Self.texts.contains($0) }.map { Self.number(row[$0]) }
                let texts = tracks.filter { Self.texts.contains($0) }.map { order(row[$0] as? String) }
                return Row(id: id, group: group, title: title, order: order(title), numbers: numbers, texts: texts)
            }
        }
        return rows.sorted(by: Row.precedes)
    }

    private static let texts: Set<String> = ["title", "artist", "albumTitle"]

    private static func number(_ value: Any?) -> Double {
        (value as? NSNumber)?.doubleValue ?? (value as? Date)?.timeIntervalSinceReferenceDate ?? 0
    }

    func items() throws -> (items: [MPMediaItem], titles: [String?]) {
        if grouping == .playlist {
            let items = try library.playlists(playlistPredicate).flatMap(\.items)
            return (items, items.map(\.title))
        }
        let rows = try rows()
        return (ItemList(library, rows.map(\.id)).items, rows.map(\.title))
    }

    func collections() throws -> [MPMediaItemCollection] {
        if grouping == .playlist { return try library.playlists(playlistPredicate) }
        guard grouping.identifierKey != nil else {
            let (items, titles) = try items()
            return zip(items, titles).map { MPMediaItemCollection(items: [$0], groupID: nil, title: $1) }
        }
        let rows = try rows()
        var places: [Int64: Int] = [:]
        var groups: [(id: Int64, title: String?, items: [MPMediaItem])] = []
        let list = ItemList(library, rows.map(\.id))
        for (row, item) in zip(rows, list.items) {
            // Items without the value are in no collection.
            guard let id = row.group else { continue }
            if let place = places[id] {
                groups[place].items.append(item)
            } else {
                places[id] = groups.count
                groups.append((id, row.title, [item]))
            }
        }
        return groups.map {
            MPMediaItemCollection(items: $0.items, groupID: UInt64(bitPattern: $0.id), title: $0.title)
        }
    }
}
