/// Makes names unique: the first use of a name returns it unchanged, later uses append 1, 2, 3…
///
/// Source: column names of stores that Apple's framework wrote (`ZACCOUNT`, `ZACCOUNT1` … `ZACCOUNT5`).
struct NameAllocator {
    private var taken: Set<String>
    private var lastDigit: [String: Int] = [:]

    init(reserved: [String] = []) { taken = Set(reserved) }

    mutating func take(_ name: String) -> String {
        if taken.insert(name).inserted { return name }
        var digit = lastDigit[name, default: 0]
        repeat { digit += 1 } while !taken.insert("\(name)\(digit)").inserted
        lastDigit[name] = digit
        return "\(name)\(digit)"
    }
}
