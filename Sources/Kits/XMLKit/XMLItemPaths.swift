/// The paths of a reader, and which of them an element lies on.
struct XMLItemPaths {
    /// Numbers of paths.
    struct Members {
        fileprivate var bits: UInt64
        /// Those behind the first 64; nil where there are no more.
        fileprivate var others: [Int]?

        var isEmpty: Bool { bits == 0 && others == nil }
    }

    private let paths: [XMLItemPath]
    let all: Members

    init(_ paths: [XMLItemPath]) {
        self.paths = paths
        all = Members(
            bits: paths.count >= 64 ? .max : (1 << UInt64(paths.count)) - 1,
            others: paths.count > 64 ? Array(64..<paths.count) : nil)
    }

    private func filter(_ members: Members, _ isMember: (Int) -> Bool) -> Members {
        var (result, rest) = (Members(bits: 0, others: nil), members.bits)
        while rest != 0 {
            let number = rest.trailingZeroBitCount
            if isMember(number) { result.bits |= 1 << UInt64(number) }
            rest &= rest - 1
        }
        if let others = members.others?.filter(isMember), !others.isEmpty { result.others = others }
        return result
    }

    /// Those that an element of a name at a depth lies on.
    func members(of members: Members, allowing name: String, at depth: Int) -> Members {
        filter(members) { paths[$0].allows(name, at: depth) }
    }

    /// The first that ends at a depth.
    func ending(_ members: Members, at depth: Int) -> Int? {
        guard !members.isEmpty else { return nil }
        let found = filter(members) { paths[$0].steps.count == depth + 1 }
        return found.bits != 0 ? found.bits.trailingZeroBitCount : found.others?.first
    }
}
