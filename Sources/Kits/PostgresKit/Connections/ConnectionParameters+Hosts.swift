extension ConnectionParameters {
    /// The same parameters for each of the hosts that are named, in their order; itself where it is one or none.
    ///
    /// Lists of ports and addresses go by the hosts, as libpq has it; one port is that of all.
    /// Source: PostgreSQL 15, section 34.1.1.3 of its documentation.
    package var ofEachHost: [ConnectionParameters] {
        let lists = ["host", "hostaddr", "port"].map { keyword in
            (keyword, self[keyword].map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? [])
        }
        let count = lists.prefix(2).map(\.1.count).max() ?? 0
        // Lists that do not match are for libpq to refuse.
        guard count > 1, lists.allSatisfy({ [0, 1, count].contains($0.1.count) }) else { return [self] }
        return (0..<count).map { place in
            var parameters = self
            for (keyword, list) in lists where !list.isEmpty {
                parameters.set(keyword, String(list.count == 1 ? list[0] : list[place]))
            }
            return parameters
        }
    }
}
