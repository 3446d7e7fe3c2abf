/// SHA-256 and SHA-512 of complete byte sequences.
///
/// Source: FIPS 180-4, sections 4 to 6. CryptoKit is not available; the digests identify model versions and are not
/// used for security.
package enum SHA2 {
    /// The 32 bytes of the SHA-256 digest.
    package static func sha256(_ message: some Sequence<UInt8>) -> [UInt8] {
        let data = padded(message, block: 64, length: 8)
        var state = SHA256State()
        data.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                for start in stride(from: 0, to: bytes.count, by: 64) { state.compress(bytes, at: start, schedule) }
            }
        }
        return state.digest
    }

    /// The 64 bytes of the SHA-512 digest.
    package static func sha512(_ message: some Sequence<UInt8>) -> [UInt8] {
        let data = padded(message, block: 128, length: 16)
        var state = SHA512State()
        for start in stride(from: 0, to: data.count, by: 128) { state.compress(data, at: start) }
        return state.words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - $0 * 8)) } }
    }

    /// The padded message: a multiple of the block size, with the number of bits at its end.
    private static func padded(_ message: some Sequence<UInt8>, block: Int, length: Int) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(message.underestimatedCount + block + length)
        data.append(contentsOf: message)
        let bits = UInt64(data.count) * 8
        data.append(0x80)
        let rest = (data.count + length) % block
        data.append(contentsOf: repeatElement(0, count: (rest == 0 ? 0 : block - rest) + length - 8))
        for shift in stride(from: 56, through: 0, by: -8) { data.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        return data
    }
}

// The two digests differ in word size, rotations and rounds. They are written separately, since generic code that the
// compiler does not specialise is slow. SHA-256 allocates nothing but its result: a model hashes every property twice,
// and a program waits for that when it starts.

private struct SHA256State {
    private var words = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    var digest: [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> (24 - $0 % 4 * 8)) } }

    /// Takes in a block of 64 bytes; the schedule has room for a word a round, to which the round's constant is added.
    mutating func compress(
        _ data: UnsafeBufferPointer<UInt8>, at start: Int, _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
        for t in 0..<16 { schedule[t] = (0..<4).reduce(0) { $0 << 8 | UInt32(data[start + t * 4 + $1]) } }
        for t in 16..<64 {
            let (x, y) = (schedule[t - 15], schedule[t - 2])
            let s0 = (x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ x >> 3
            let s1 = (y >> 17 | y << 15) ^ (y >> 19 | y << 13) ^ y >> 10
            schedule[t] = schedule[t - 16] &+ s0 &+ schedule[t - 7] &+ s1
        }
        roundConstants.withUnsafeBufferPointer { for t in 0..<64 { schedule[t] &+= UInt32($0[t] >> 32) } }
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        // After eight rounds each word is in its place again, so that none is moved.
        for t in stride(from: 0, to: 64, by: 8) {
            round(a, b, c, &d, e, f, g, &h, schedule[t])
            round(h, a, b, &c, d, e, f, &g, schedule[t + 1])
            round(g, h, a, &b, c, d, e, &f, schedule[t + 2])
            round(f, g, h, &a, b, c, d, &e, schedule[t + 3])
            round(e, f, g, &h, a, b, c, &d, schedule[t + 4])
            round(d, e, f, &g, h, a, b, &c, schedule[t + 5])
            round(c, d, e, &f, g, h, a, &b, schedule[t + 6])
            round(b, c, d, &e, f, g, h, &a, schedule[t + 7])
        }
        words &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always) private func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let sum1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
        let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ word
        let sum0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
        d &+= first
        h = first &+ sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
    }
}

private struct SHA512State {
    var words: [UInt64] = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]
    private var schedule = [UInt64](repeating: 0, count: 80)

    mutating func compress(_ data: [UInt8], at start: Int) {
        fillSchedule(data, at: start)
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for t in 0..<80 {
            let sum1 = (e >> 14 | e << 50) ^ (e >> 18 | e << 46) ^ (e >> 41 | e << 23)
            let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ roundConstants[t] &+ schedule[t]
            let sum0 = (a >> 28 | a << 36) ^ (a >> 34 | a << 30) ^ (a >> 39 | a << 25)
            let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { words[index] &+= value }
    }

    private mutating func fillSchedule(_ data: [UInt8], at start: Int) {
        for t in 0..<16 { schedule[t] = (0..<8).reduce(0) { $0 << 8 | UInt64(data[start + t * 8 + $1]) } }
        for t in 16..<80 {
            let (x, y) = (schedule[t - 15], schedule[t - 2])
            let s0 = (x >> 1 | x << 63) ^ (x >> 8 | x << 56) ^ x >> 7
            let s1 = (y >> 19 | y << 45) ^ (y >> 61 | y << 3) ^ y >> 6
            schedule[t] = schedule[t - 16] &+ s0 &+ schedule[t - 7] &+ s1
        }
    }
}

/// The first bits of the fractions of the cube roots of the first 80 primes; SHA-256 has the first halves of 64.
private let roundConstants: [UInt64] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
]
