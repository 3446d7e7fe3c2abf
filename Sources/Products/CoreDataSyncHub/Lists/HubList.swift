import CoreDataSyncing

/// What a hub says of the items of a group: all of them, or what has changed since a state that the asker has seen.
///
/// As text it is
/// ```
/// opencoredata-hub 1 RUN.VERSION whole
/// + SIZE STAMP NAME
/// - NAME
/// end 2
/// ```
/// with `changes` in place of `whole` where it is not all, and the number of lines between the first and the last. Each line ends with a
/// line feed.
package struct HubList: Equatable, Sendable {
    /// The state that the list leads to.
    package var cursor: HubCursor
    package var isWhole: Bool
    /// The items, or those that are new or were written again.
    package var items: [SyncItem] = []
    /// The names of items that are gone.
    package var removed: [String] = []

    package init(_ cursor: HubCursor, isWhole: Bool) { (self.cursor, self.isWhole) = (cursor, isWhole) }

    package var isEmpty: Bool { items.isEmpty && removed.isEmpty }

    /// The greatest numbers of lines and bytes that are read.
    package static let greatestCount = 200_000
    package static let greatestSize = 64 << 20
    /// The greatest size of an item that is read: those of a list add up to no more than an integer holds.
    private static let greatestItem = 1 << 44

    package var text: [UInt8] {
        var text = "opencoredata-hub 1 \(cursor) \(isWhole ? "whole" : "changes")\n"
        for item in items { text += "+ \(item.size) \(item.stamp) \(item.name)\n" }
        for name in removed { text += "- \(name)\n" }
        return Array((text + "end \(items.count + removed.count)\n").utf8)
    }

    /// Reads the text; nil if it is anything else, or too much.
    package init?(reading bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.greatestSize else { return nil }
        var lines = bytes.split(
            separator: 10, maxSplits: Self.greatestCount + 3, omittingEmptySubsequences: false)[...]
        guard lines.count <= Self.greatestCount + 3, lines.popLast()?.isEmpty == true, let first = lines.popFirst(),
            let last = lines.popLast(), String(decoding: last, as: UTF8.self) == "end \(lines.count)"
        else { return nil }
        let head = String(decoding: first, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard head.count == 4, head[0] == "opencoredata-hub", head[1] == "1", let cursor = HubCursor(head[2]),
            head[3] == "whole" || head[3] == "changes"
        else { return nil }
        self.init(cursor, isWhole: head[3] == "whole")
        for line in lines {
            guard add(String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false))
            else { return nil }
        }
    }

    private mutating func add(_ words: [Substring]) -> Bool {
        switch words.first {
        case "+":
            guard words.count == 4, let size = Int(words[1]), (0...Self.greatestItem).contains(size),
                Self.isStamp(words[2]), HubNames.isItem(words[3])
            else { return false }
            items.append(SyncItem(name: String(words[3]), size: size, stamp: String(words[2])))
        case "-":
            guard words.count == 2, !isWhole, HubNames.isItem(words[1]) else { return false }
            removed.append(String(words[1]))
        default: return false
        }
        return true
    }

    private static func isStamp(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
    }
}
