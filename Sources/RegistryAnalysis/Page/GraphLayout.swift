/// The positions of a directed graph's nodes in layers. Every edge leads to a later layer unless it
/// closes a cycle.
///
/// Edges cross the layers between their ends at additional positions, which all edges from the same
/// node share. Coordinates are integers in points.
package struct GraphLayout: Sendable, Hashable, Encodable {
  /// A directed edge from the node at one index to the node at another.
  package struct Edge: Sendable, Hashable {
    package var from, to: Int

    package init(_ from: Int, _ to: Int) { (self.from, self.to) = (from, to) }
  }

  package struct Position: Sendable, Hashable, Encodable {
    package var layer = 0
    package var x = 0
    /// The vertical center.
    package var y = 0
    /// The vertical positions where edges from this node cross later layers.
    package var crossings: [Int] = []
  }

  package struct Layer: Sendable, Hashable, Encodable {
    package var x: Int
    package var width: Int
  }

  package static let (nodeWidth, nodeHeight) = (184, 44)
  private static let (columnGap, layerGap, rowGap) = (16, 46, 14)
  /// The limit on crossings. If there are more, the layout omits all crossings as illegible.
  private static let crossingLimit = 8_000
  private static let sweeps = 6

  package private(set) var layers: [Layer] = []
  package private(set) var positions: [Position]
  package private(set) var height = 0

  /// Lays out a graph.
  ///
  /// - Complexity: O((*n* + *e*) log (*n* + *e*)) in the numbers of nodes and edges.
  package init(count: Int, edges: [Edge]) {
    positions = Array(repeating: Position(), count: count)
    guard count > 0 else { return }
    let ranks = Self.ranks(count, edges)
    var graph = Rows(ranks: ranks, edges: edges, crossingLimit: Self.crossingLimit)
    // A layer with many nodes has several columns, so a graph without edges is about as wide as it
    // is high.
    let rows = max(14, Int((Double(count) * 5).squareRoot()))
    graph.sort(sweeps: Self.sweeps, rows: rows)
    var x = 0
    for members in graph.layers {
      let nodes = members.filter { $0 < count }
      let width = Self.columns(nodes.count, rows) * (Self.nodeWidth + Self.columnGap) - Self.columnGap
      for node in nodes {
        positions[node].layer = layers.count
        positions[node].x = x + graph.columns[node] * (Self.nodeWidth + Self.columnGap)
      }
      layers.append(Layer(x: x, width: width))
      x += width + Self.layerGap
    }
    let top = (graph.centers.min() ?? 0) - Self.nodeHeight / 2
    for node in 0..<count {
      positions[node].y = graph.centers[node] - top
      positions[node].crossings = graph.crossings[node].map { graph.centers[$0] - top }
    }
    height = (graph.centers.max() ?? 0) - top + Self.nodeHeight / 2
  }

  private static func columns(_ nodes: Int, _ rows: Int) -> Int { max(1, (nodes + rows - 1) / rows) }

  /// Returns the length of the longest path to each node, without the edges that close a cycle.
  package static func ranks(_ count: Int, _ edges: [Edge]) -> [Int] {
    var outgoing = Array(repeating: [Int](), count: count)
    for edge in edges { outgoing[edge.from].append(edge.to) }
    // Search depth-first. An edge closes a cycle if its end finishes no earlier than its start.
    var (unvisited, isVisited) = (outgoing, Array(repeating: false, count: count))
    var (order, finish) = ([Int](), Array(repeating: 0, count: count))
    for root in 0..<count where !isVisited[root] {
      var path = [root]
      while let node = path.last {
        isVisited[node] = true
        if let other = unvisited[node].popLast() {
          if !isVisited[other] { path.append(other) }
        } else {
          finish[node] = order.count
          order.append(path.removeLast())
        }
      }
    }
    var ranks = Array(repeating: 0, count: count)
    for node in order.reversed() {
      for next in outgoing[node] where finish[next] < finish[node] { ranks[next] = max(ranks[next], ranks[node] + 1) }
    }
    return ranks
  }

  /// The nodes and crossings of each layer, sorted by the positions of their neighbors.
  private struct Rows {
    var layers: [[Int]]
    /// The crossings of the edges from each node.
    var crossings: [[Int]]
    var before: [[Int]]
    var after: [[Int]]
    /// The vertical centers of nodes and crossings.
    var centers: [Int]
    /// The column of each node in its layer.
    var columns: [Int]
    let nodeCount: Int

    init(ranks: [Int], edges: [Edge], crossingLimit: Int) {
      nodeCount = ranks.count
      layers = Array(repeating: [], count: (ranks.max() ?? 0) + 1)
      for (node, rank) in ranks.enumerated() { layers[rank].append(node) }
      crossings = Array(repeating: [], count: nodeCount)
      var last = ranks
      for edge in edges { last[edge.from] = max(last[edge.from], ranks[edge.to] - 1) }
      var count = nodeCount
      let length = zip(last, ranks).reduce(0) { $0 + ($1.0 - $1.1) }
      if length <= crossingLimit {
        for node in 0..<nodeCount where last[node] > ranks[node] {
          for rank in ranks[node] + 1...last[node] {
            layers[rank].append(count)
            crossings[node].append(count)
            count += 1
          }
        }
      }
      (before, after) = (Array(repeating: [], count: count), Array(repeating: [], count: count))
      centers = Array(repeating: 0, count: count)
      columns = Array(repeating: 0, count: nodeCount)
      func connect(_ from: Int, _ to: Int) {
        after[from].append(to)
        before[to].append(from)
      }
      for node in 0..<nodeCount {
        var previous = node
        for crossing in crossings[node] {
          connect(previous, crossing)
          previous = crossing
        }
      }
      for edge in edges where ranks[edge.to] > ranks[edge.from] {
        let index = ranks[edge.to] - ranks[edge.from] - 2
        connect(index >= 0 && !crossings[edge.from].isEmpty ? crossings[edge.from][index] : edge.from, edge.to)
      }
    }

    mutating func sort(sweeps: Int, rows: Int) {
      for layer in layers.indices { place(layer, by: [], rows) }
      for sweep in 0..<sweeps {
        if sweep % 2 == 0 {
          for layer in layers.indices { place(layer, by: before, rows) }
        } else {
          for layer in layers.indices.reversed() { place(layer, by: after, rows) }
        }
      }
    }

    /// Moves each member of a layer as close to the mean of its neighbors as the space permits.
    private mutating func place(_ layer: Int, by neighbors: [[Int]], _ rows: Int) {
      var wanted: [(Double, Int)] = layers[layer].map { node in
        guard !neighbors.isEmpty, !neighbors[node].isEmpty else { return (Double(centers[node]), node) }
        return (Double(neighbors[node].reduce(0) { $0 + centers[$1] }) / Double(neighbors[node].count), node)
      }
      wanted.sort { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }
      layers[layer] = wanted.map(\.1)
      let columns = GraphLayout.columns(wanted.count { $0.1 < nodeCount }, rows)
      // Positions minus the heights of earlier members must not decrease. Members in the wrong
      // order form a group, which gets their mean position.
      var (offsets, groups) = ([Int](), [(sum: Double, count: Int)]())
      var (offset, half, column) = (0, 0, 0)
      for (position, node) in wanted {
        let isNode = node < nodeCount
        column = isNode && half > 0 ? (column + 1) % columns : 0
        if column == 0 {
          let next = isNode ? GraphLayout.nodeHeight / 2 : 0
          offset += offsets.isEmpty ? 0 : half + next + GraphLayout.rowGap
          half = next
          groups.append((0, 0))
        }
        if isNode { self.columns[node] = column }
        offsets.append(offset)
        groups[groups.count - 1].sum += position - Double(offset)
        groups[groups.count - 1].count += 1
        while groups.count > 1, case let (b, a) = (groups[groups.count - 1], groups[groups.count - 2]),
          a.sum / Double(a.count) >= b.sum / Double(b.count)
        {
          groups.removeLast()
          groups[groups.count - 1] = (a.sum + b.sum, a.count + b.count)
        }
      }
      var member = 0
      for group in groups {
        let start = Int((group.sum / Double(group.count)).rounded())
        for _ in 0..<group.count {
          centers[wanted[member].1] = start + offsets[member]
          member += 1
        }
      }
    }
  }
}
