extension ConnectionParameters {
    /// The parameters for each of the hosts in the parameters, in their order; `[self]` if there are fewer than two.
    ///
    /// Lists of ports and addresses correspond to the list of hosts, as in libpq; a single port applies to all hosts.
    /// Source: PostgreSQL 15, section 34.1.1.3 of its documentation.
    package var ofEachHost: [ConnectionParameters] {
        let lists = ["host", "hostaddr", "port"].map { keyword in
            (keyword, self[keyword].map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? [])
        }
        let count = lists.prefix(2).map(\.1.count).max() ?? 0
        // libpq refuses lists of different lengths when it connects.
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
